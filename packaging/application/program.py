"""The start of the installed program.

The program starts some of its modules in processes of their own with `sys.executable`, which is the program itself
here. So it also takes ``-m MODULE`` for these and ``-c CODE``, as Python does.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import sys

_OWN = ("LD_LIBRARY_PATH", "QT_PLUGIN_PATH", "QML2_IMPORT_PATH")
"""Variables that PyInstaller sets for this process, where they have had their effect."""

_MODULES = ("engine.", "valhalla.")
"""The modules that run in processes of their own."""


def release_environment() -> None:
    """Keep programs that are started from here, such as a browser, from loading the libraries of this one."""
    for name in _OWN:
        os.environ.pop(name, None)
        if (users_own := os.environ.pop(f"{name}_ORIG", None)) is not None:
            os.environ[name] = users_own


def run() -> int:
    """Run the module or the code of the arguments, or else the program. Return the exit code."""
    arguments = sys.argv[1:]
    if arguments[:1] == ["-I"]:
        del arguments[0]
    if arguments[:1] == ["-m"] and len(arguments) > 1 and arguments[1].startswith(_MODULES):
        sys.argv = arguments[1:]
        runpy.run_module(arguments[1], run_name="__main__", alter_sys=True)
        return 0
    if arguments[:1] == ["-c"] and len(arguments) > 1:
        sys.argv = ["-c", *arguments[2:]]
        exec(arguments[1], {"__name__": "__main__"})
        return 0
    from app.main import main

    return main()


if __name__ == "__main__":
    release_environment()
    # The processes that run scenarios end in this call.
    multiprocessing.freeze_support()
    sys.exit(run())
