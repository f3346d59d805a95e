# SPDX-License-Identifier: MIT
"""The text of a failed compilation: what failed, where, and the source around it."""
import itertools
import linecache
import os
import re
import sys
from collections import namedtuple

import gridcell


class Loc(namedtuple("Loc", "filename line col")):
    """A place in the source: lines count from 1, columns from 0 in UTF-8 bytes."""

    def __str__(self):
        return f"{self.filename} ({self.line})"


def _definition_line(lines, line):
    """The number of the `def` or `lambda` line that `line` belongs to, or None."""
    indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
    for number in range(line, 0, -1):
        text = lines[number - 1]
        if not text.strip():
            continue
        depth = len(text) - len(text.lstrip())
        if text.lstrip().startswith(("def ", "async def ")) and (number == line or depth < indent):
            return number
    return None


def _underline(text, column, end_column):
    """Spaces and ^~~~ under the columns, which count UTF-8 bytes."""
    data = text.encode()
    start = len(data[:column].decode(errors="ignore"))
    stop = len(data[:end_column].decode(errors="ignore"))
    return " " * start + "^" + "~" * max(0, stop - start - 1)


def excerpt(file, line, column=0, end_line=0, end_column=0):
    """The lines of numba's "File ..., line N" block."""
    where = f'File "{file}", line {line}:'
    lines = [text.rstrip("\n") for text in linecache.getlines(file)]
    if not 0 < line <= len(lines):
        return f"{where}\n<source missing, REPL/exec in use?>"
    shown = [where]
    definition = _definition_line(lines, line)
    if definition is not None and definition != line:
        shown.append(lines[definition - 1])
        if definition < line - 1:
            indent = len(lines[line - 1]) - len(lines[line - 1].lstrip())
            shown.append(" " * indent + "<source elided>")
    text = lines[line - 1]
    shown.append(text)
    if end_line != line:
        end_column = len(text.encode())
    shown.append(_underline(text, column, end_column))
    return "\n".join(shown)


_OUTSIDE = "Do it outside and pass the result as an argument, or"
# What to do about a message that does not say so itself: a pattern for its start, and the
# advice for compiled code and for kernels.
_ADVICE = tuple((re.compile(pattern), text, kernel_text or text) for pattern, text, kernel_text in (
    ("NameError: name ",
     "Names are looked up when a function is compiled: among its variables, in the functions around "
     "it,\nin its module and among the builtins. Define the name before the first call.", None),
    (r"Unknown attribute '\w+' of type array\(",
     "Arrays have ndarray's attributes and methods; what NumPy has as a function takes the array,\n"
     "as in np.median(a).", None),
    (r"Unknown attribute '\w+' of type instance\.|Cannot resolve setattr: \(instance\.",
     "The fields of a jitclass and their types are those of its spec, and those of annotations in the class:\n"
     "@jitclass([('x', types.float64)]).", None),
    ("non-precise type pyobject",
     "Compiled code takes numbers, strings, arrays, tuples, lists, dicts, sets, enums and compiled "
     "functions.\nOf a table pass the columns: frame['x'].to_numpy(). For an object with fields "
     "use\nnumba.experimental.jitclass, a named tuple or a structured array.",
     "Kernels take numbers, arrays of NumPy's and of devices, records, and tuples of them. Of a table "
     "pass\nthe columns: frame['x'].to_numpy().", ),
    (r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>",
     "It is a Python function, and compiled code calls compiled functions: put @njit above the "
     "definition\nof {0}. What has to stay Python runs in a block `with numba.objmode(...)`.",
     "It is a Python function, and kernels call compiled functions: put @cuda.jit(device=True) above "
     "the\ndefinition of {0}."),
    (r"Unknown attribute 'default_rng' of type Module\(<module 'numpy.random'",
     "Make the generator outside and pass it as an argument: f(np.random.default_rng(1)).",
     "Kernels draw numbers with numba.cuda.random: see create_xoroshiro128p_states."),
    (r"Untyped global name '\w+': Cannot determine Numba type of <class 'type'>",
     "Compiled code makes objects of the classes of numba.experimental.jitclass, named tuples, and "
     "records\nin structured arrays.", "Kernels know named tuples, and records in structured arrays."),
    (r"Untyped global name '\w+': Cannot determine Numba type of <class '(?:builtin|numpy.ufunc|\S*cython)",
     f"Compiled code does not have it. {_OUTSIDE} in a block\n`with numba.objmode(...)`.",
     "Kernels do not have it: call it on the host and pass its result as an argument."),
    (r"Untyped global name '\w+': ",
     "Compiled code reads globals that are numbers, strings, arrays, tuples, enums, modules and "
     "compiled\nfunctions. Pass what it needs of this object as arguments.", None),
    (r"Unknown attribute '\w+' of type Module\(|Use of unsupported NumPy function",
     f"Compiled code does not have it. {_OUTSIDE} in a block\n`with numba.objmode(...)`.",
     "Kernels do not have it: call it on the host and pass its result as an argument."),
))


def advice(message, pipeline="nopython"):
    """The advice for a message, or None."""
    for pattern, text, kernel_text in _ADVICE:
        if found := pattern.match(message):
            return (kernel_text if pipeline == "cuda" else text).format(*found.groups())
    return None


def describe(pipeline, step, message, file, line, column, end_line, end_column, notes):
    """The whole text of a compilation error."""
    if pipeline != "nopython" and step.startswith("nopython"):
        step = "nopython frontend"
    parts = [f"Failed in {pipeline} mode pipeline (step: {step})", message]
    if file and line > 0:
        if "During: typing of argument" in message:
            parts[-1] += f" at {file} ({line})"
        parts.append("")
        parts.append(excerpt(file, line, column, end_line, end_column))
    if notes:
        parts.append("")
        parts.append("This error may have been caused by the following argument(s):")
        parts.extend(notes)
    if "\n\n" not in message and (help_text := advice(message, pipeline)):
        parts += ["", help_text]
    return "\n".join(parts) + "\n"


_PACKAGE = os.path.dirname(gridcell.__file__) + os.sep


def _caller():
    """Where the program called into this package: file, line, column, last line and column; None: nowhere."""
    frame = sys._getframe(1)
    while frame and frame.f_code.co_filename.startswith((_PACKAGE, "<frozen ")):
        frame = frame.f_back
    if frame is None:
        return None
    positions = itertools.islice(frame.f_code.co_positions(), max(frame.f_lasti, 0) // 2, None)
    line, end_line, column, end_column = next(positions, (None,) * 4)
    return frame.f_code.co_filename, line or frame.f_lineno, column or 0, end_line or 0, end_column or 0


def failure(error_class, pipeline, step, message, file, line, column, end_line, end_column, notes):
    """The exception of a failed compilation; its `loc` is None where there is no place.

    What the package itself has compiled for a call, as methods of typed containers do, fails at that call.
    """
    place = file, line, column, end_line, end_column
    if file and file.startswith(_PACKAGE):
        place = _caller() or place
    text = describe(pipeline, step, message, *place, notes)
    return error_class(text, Loc(*place[:3]) if line else None)
