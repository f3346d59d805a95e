# SPDX-License-Identifier: MIT
"""Imported first by the programs of this folder: goes on in the interpreter of .venv, where there is one."""
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
PYTHON = HERE.parents[1] / ".venv/bin/python"
if sys.prefix != str(PYTHON.parent.parent) and PYTHON.exists() and pathlib.Path(sys.argv[0]).resolve().parent == HERE:
    os.execv(PYTHON, [str(PYTHON), *sys.argv])
