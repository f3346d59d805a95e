"""No CPython call that returns a borrowed reference, unless the line says why it is safe
(`// borrowed: ...`); none that forgets an interrupt as if it were any exception, unless the
line says who has answered it (`// answered: ...`); no static Python object outside the module state."""
import pathlib
import re
import sys

import tree

BORROWED = re.compile(r"\b(PyDict_(GetItem|GetItemString|GetItemWithError|Next|SetDefault)|"
                      r"PyList_(GetItem|GET_ITEM)|PySequence_Fast(_GET_ITEM|_ITEMS)?|"
                      r"PyWeakref_(GetObject|GET_OBJECT)|PyImport_AddModule|PySys_GetObject|"
                      r"PyEval_Get(Builtins|Globals|Locals))\s*\(")
FORGETS = re.compile(r"\b(PyErr_Clear|PyErr_WriteUnraisable|Py(Object|Mapping)_Has(Attr|Key)(String)?)\s*\(")
STATIC = re.compile(r"^\s*static\s+(const\s+)?(PyObject\s*\*\s*\w+\s*(=|;)|PyTypeObject\s+\w+\s*=)")


def main(root):
    findings = []
    for path in tree.c_files(root):
        for number, line in enumerate(tree.text_of(root, path).splitlines(), 1):
            code, _, comment = line.partition("//")
            match = BORROWED.search(code)
            if match and not comment.strip().startswith("borrowed:"):
                findings.append((path, number, f"{match.group(1)} returns a borrowed reference"))
            match = FORGETS.search(code)
            if match and not comment.strip().startswith("answered:"):
                findings.append((path, number, f"{match.group(1)} forgets interrupts: base/py.h has what does not"))
            if STATIC.match(code):
                findings.append((path, number, "Python objects live in the module state"))
    tree.finish(findings)


main(pathlib.Path(sys.argv[1]))
