from tests.distribution import parts_of_files


def test_the_consecutive_tests_of_a_file_are_a_part() -> None:
    parts = parts_of_files(["a.py::test_1", "a.py::test_2", "b.py::Of::test_1", "a.py::test_3", "b.py::test_2"])
    assert parts == {
        "a.py::test_1": "a.py",
        "a.py::test_2": "a.py",
        "b.py::Of::test_1": "b.py",
        "a.py::test_3": "a.py 2",
        "b.py::test_2": "b.py 2",
    }
