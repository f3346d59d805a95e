# SPDX-License-Identifier: MIT
"""What stands against this interpreter where the package has no machine code for it, in one line.

Any Python 3 reads this file: it is for those that gridcell does not support.
"""
import importlib.util
import os
import re
import sys

SUPPORTED = "CPython 3.11 to 3.15 on x86-64 Linux with glibc, or 3.13 on arm64"
IS_SUPPORTED = re.compile(r"\.cpython-(31[1-5]-x86_64|313-aarch64)-linux-gnu\.so$")


def _describe(suffix):
    """Of how names of extension modules end: the interpreter that they are for, and the machine."""
    named = re.match(r"\.cpython-(\d)(\d+\w*)-(.+)\.so$", suffix)
    if named:
        return "CPython {}.{} ({})".format(*named.groups())
    named = re.match(r"\.pypy(\d)(\d+)-\w+-(.+)\.so$", suffix)
    return "PyPy {}.{} ({})".format(*named.groups()) if named else "one of modules named *" + suffix


def explain(folder, suffix, executable):
    """`suffix`: of the interpreter that asks."""
    ours = sorted(name[len("_gridcell"):] for name in os.listdir(folder) if re.match(r"_gridcell\..*\.so$", name))
    if not ours:
        return "the gridcell in {} is without its machine code: install it again".format(folder)
    made_for = ", ".join(map(_describe, ours))
    text = "the gridcell in {} is for {}, and {} is {}: ".format(folder, made_for, executable, _describe(suffix))
    if IS_SUPPORTED.match(suffix):
        return text + "{} -m pip install gridcell gets the one for it".format(executable)
    return text + "gridcell is for " + SUPPORTED


def refuse(folder, suffix):
    """Raises ImportError, unless a finder knows of another place (an editable installation's does); `python -m gridcell`
    ends with the line alone."""
    if importlib.util.find_spec("gridcell._gridcell"):
        return
    text = explain(folder, suffix, sys.executable)
    if sys.argv[:1] == ["-m"] and "gridcell" in getattr(sys, "orig_argv", []):
        sys.exit("gridcell: error: " + text)
    raise ImportError(text, name="gridcell")
