"""Results for CI tools: XML in the format of Ant's JUnit task, in the flavour of pytest."""

import re
from collections.abc import Sequence
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from app.lab.files.faults import fault_lines
from app.lab.reports.text import failure_lines
from app.lab.results import Result, Status

_NOT_IN_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(results: Sequence[Result]) -> bytes:
    """Return all results as one suite, with a test case for each scenario."""
    failed = sum(each.status is Status.FAILED for each in results)
    invalid = sum(each.status is Status.INVALID for each in results)
    seconds = f"{sum(each.seconds for each in results):.3f}"
    counts = {"tests": str(len(results)), "failures": str(failed), "errors": str(invalid), "time": seconds}
    suites = Element("testsuites", {"name": "fencewright", **counts})
    suite = SubElement(suites, "testsuite", {"name": "fencewright", **counts, "skipped": "0"})
    for result in results:
        _add_case(suite, result)
    indent(suites)
    written: bytes = tostring(suites, encoding="utf-8", xml_declaration=True)
    return written


def _add_case(suite: Element, result: Result) -> None:
    about = {
        "classname": _clean(result.file.with_suffix("").with_suffix("").as_posix().lstrip("/").replace("/", ".")),
        "name": _clean(result.name),
        "file": _clean(str(result.file)),
        "time": f"{result.seconds:.3f}",
    }
    case = SubElement(suite, "testcase", about)
    if result.expects_nothing:
        SubElement(SubElement(case, "properties"), "property", {"name": "expectsNothing", "value": "true"})
    if result.faults:
        error = SubElement(case, "error", {"message": _clean(result.faults[0].message), "type": "invalid"})
        error.text = _clean("\n".join(fault_lines(result.faults, result.omitted_faults)))
    elif result.failures:
        first = result.failures[0]
        message = f"{first.kind}: {first.text}"
        failure = SubElement(case, "failure", {"message": _clean(message), "type": first.kind.value})
        failure.text = _clean("\n".join(line for each in result.failures for line in failure_lines(result, each, "")))
    if result.notes:
        SubElement(case, "system-out").text = _clean("\n".join(result.notes))


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("�", text)
