"""Code by what names it: ranges of the history, files, URLs, notebooks, macros, variables; and the
magics that take such code: %load, %macro, %save, %recall, %rerun, %page, %pycat, %notebook."""
import ast
import os
import sys

import _gridcell_kernel as kernel
from IPython.core.error import UsageError


def _names_coding(line):
    """Whether a line is Python's comment about the coding of a file."""
    import re
    return re.match(r"^[ \t\f]*#.*?coding[:=][ \t]*[-\w.]+", line) is not None


class Macro:
    """Code that runs when its name stands alone in a cell."""

    def __init__(self, code):
        lines = code.splitlines()
        self.value = "\n".join(line for line in lines if not _names_coding(line)) + "\n"

    def __str__(self):
        return self.value

    def __repr__(self):
        return f"IPython.macro.Macro({self.value!r})"

    def __add__(self, other):
        if isinstance(other, Macro):
            return Macro(self.value + other.value)
        if isinstance(other, str):
            return Macro(self.value + other)
        raise TypeError(f"unsupported operand type(s) for +: 'Macro' and {type(other).__name__!r}")

    def __getstate__(self):
        return {"value": self.value}

    def __setstate__(self, state):
        self.value = state["value"]


Macro.__module__ = "IPython.core.macro"


# ---- finding code

def notebook_cells(path):
    """The code cells of a notebook file."""
    import json
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    for cell in content["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"])


def _read_file(path):
    if path.endswith(".ipynb"):
        return "\n\n".join(cell.rstrip() for cell in notebook_cells(path)) + "\n"
    import tokenize
    try:
        with tokenize.open(path) as file:
            text = file.read()
    except SyntaxError:
        with open(path, encoding="latin-1") as file:
            text = file.read()
    lines = text.splitlines(keepends=True)
    return "".join(line for index, line in enumerate(lines)
                   if index > 1 or not _names_coding(line))


def _read_url(url):
    import urllib.request
    with urllib.request.urlopen(url) as reply:
        return reply.read().decode(reply.headers.get_content_charset() or "utf-8", "replace")


def _code_of_name(target, search_ns):
    space = kernel.state("user_ns")
    if search_ns:
        from gridcell.ipython import inspecting
        value = inspecting.find(target)
        source = inspecting.source_text(value) if value is not inspecting._MISSING else None
        if source:
            return source.rstrip()
    try:
        value = eval(target, space)
    except Exception:
        raise ValueError(f"{target!r} was not found in history, as a file, url, nor in the user "
                         "namespace.") from None
    if isinstance(value, str):
        return value
    if isinstance(value, Macro):
        return value.value
    raise TypeError(f"{target} is neither a string nor a macro.", value)


def find_code(target, raw=True, py_only=False, search_ns=False):
    """The code that `target` names; ValueError or TypeError when it names none."""
    code = kernel.history_text(target, raw)
    if code:
        return code
    if target.startswith(("http://", "https://")):
        return _read_url(target)
    for path in (target, target + ".py"):
        path = os.path.expanduser(path.strip("'\""))
        if os.path.isfile(path):
            if py_only and not path.endswith((".py", ".ipy", ".ipynb")):
                raise ValueError(f"{target!r} seem to be unreadable.")
            return _read_file(path)
        if os.path.isdir(path):
            raise ValueError(f"{target!r} is a directory, not a regular file.")
    return _code_of_name(target, search_ns)


def parse(line, letters):
    """Options of a magic in front of its argument: a dict by letter, and the words after them."""
    import getopt
    import shlex
    try:
        pairs, words = getopt.getopt(shlex.split(line), letters)
    except getopt.GetoptError as error:
        raise UsageError(f'{error} (allowed: "{letters}")') from None
    return {name.lstrip("-"): value for name, value in pairs}, words


# ---- %load

def _select_lines(code, text):
    lines, chosen = code.split("\n"), []
    for part in text.split(","):
        first, dash, last = part.replace(":", "-").partition("-")
        start = int(first or 1) - 1
        stop = (int(last) if last else len(lines)) if dash else start + 1
        if ":" in part and last:
            stop -= 1
        chosen += lines[start:stop]
    return "\n".join(chosen)


def _select_names(code, names):
    """The functions and classes of these names, with decorators and the comments above them."""
    lines, found = code.splitlines(), {}
    for node in ast.parse(code).body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([node.lineno] + [each.lineno for each in node.decorator_list])
            found[node.name] = "\n".join(lines[first - 1:node.end_lineno]) + "\n"
    missing = [name for name in names if name not in found]
    if missing:
        words = "symbol" if len(missing) == 1 else "symbols"
        import warnings
        from IPython.utils.text import get_text_list
        listed = get_text_list(missing, wrap_item_with="`")
        verb = "was" if len(missing) == 1 else "were"
        warnings.warn(f"The {words} {listed} {verb} not found", stacklevel=3)
    return "\n".join(found[name] for name in names if name in found)


def load(line):
    """Puts code into the cell that asked for it."""
    options, words = parse(line, "yns:r:")
    if not words:
        raise UsageError("Missing filename, URL, input history range, macro, or element in the user "
                         "namespace")
    code = find_code(" ".join(words), search_ns="n" in options)
    if "s" in options:
        try:
            code = _select_names(code, options["s"].split(","))
        except SyntaxError:
            import logging
            logging.getLogger("IPython").error("Unable to parse the input as valid Python code")
            return
    if "r" in options:
        code = _select_lines(code, options["r"])
    if len(code) > 200_000 and "y" not in options:
        if not kernel.get_ipython().ask_yes_no("The text you're trying to load seems pretty big "
                                               f"({len(code)} characters). Continue (y/[N]) ?", default=False):
            print("Operation cancelled.")
            return
    kernel.get_ipython().set_next_input(f"# %load {line}\n{code}", replace=True)


# ---- %macro, %recall, %rerun, %save

def macro(line):
    """Makes a macro of earlier cells."""
    options, words = parse(line, "rq")
    space = kernel.state("user_ns")
    if not words:
        return sorted(name for name, value in space.items() if isinstance(value, Macro))
    if len(words) == 1:
        raise UsageError("%macro insufficient args; usage '%macro name n1-n2 n3-4...")
    name, target = words[0], " ".join(words[1:])
    try:
        made = Macro(find_code(target, raw="r" in options))
    except (ValueError, TypeError) as error:
        print(error.args[0])
        return None
    space[name] = made
    if "q" not in options:
        print(f"Macro `{name}` created. To execute, type its name (without quotes).")
        print("=== Macro contents: ===")
        print(made, end=" ")
    return None


def _next_input(text):
    kernel.get_ipython().set_next_input(text, replace=False)


def recall(line):
    """Puts earlier code into the next cell."""
    target = line.strip()
    space = kernel.state("user_ns")
    if not target:
        _next_input(str(space.get("_", "")))
        return
    try:
        value = eval(target, dict(space))
    except Exception:
        value = None
    text = kernel.history_text(target, True)
    if text:
        _next_input(text.rstrip())
    elif value is not None:
        _next_input(value.value if isinstance(value, Macro) else str(value))
    else:
        found = list(_search(target, 1))
        if found:
            _next_input(found[0])
        else:
            print(f"Couldn't evaluate or find in history: {target}")


def _search(pattern, count):
    """The last cells that hold the pattern, other than the one that asks."""
    rows = kernel.history({"hist_access_type": "search", "pattern": f"*{pattern}*", "raw": True,
                           "n": count + 1, "output": False})
    asking = kernel.state("inputs")[-1]
    return [text for _, _, text in rows if text != asking][-count:]


def rerun(line):
    """Runs earlier cells again."""
    options, words = parse(line, "l:g:")
    inputs = kernel.state("inputs")[:-1]
    if "l" in options:
        cells = inputs[-int(options["l"]):]
    elif "g" in options:
        cells = [text for text in inputs if options["g"] in text and "%rerun" not in text][-1:]
        cells = cells or _search(options["g"], 1)
    elif words:
        text = kernel.history_text(" ".join(words), True)
        cells = [text] if text else []
    else:
        cells = inputs[-1:]
    if not cells:
        print("No lines in history match specification")
        return
    code = "\n".join(cells)
    print("=== Executing: ===")
    print(code)
    print("=== Output: ===")
    kernel.run_cell(code)


def save(line):
    """Writes earlier cells to a file."""
    options, words = parse(line, "rfa")
    if not words:
        raise UsageError("Missing filename.")
    ending = ".ipy" if "r" in options else ".py"
    path, target = os.path.expanduser(words[0]), " ".join(words[1:])
    if not path.endswith((".py", ".ipy")):
        path += ending
    exists = os.path.isfile(path)
    if exists and "f" not in options and "a" not in options:
        answer = input(f"File `{path}` exists. Overwrite (y/[N])? ")
        if not answer.strip().lower().startswith("y"):
            print("Operation cancelled.")
            return
    try:
        code = find_code(target, raw="r" in options) if target else kernel.history_text("~0/", "r" in options)
    except (ValueError, TypeError) as error:
        print(error.args[0])
        return
    appends = exists and "a" in options
    with open(path, "a" if appends else "w", encoding="utf-8") as file:
        if not appends:
            file.write("# coding: utf-8\n")
        file.write(code if code.endswith("\n") else code + "\n")
    print(f"The following commands were written to file `{path}`:")
    print(code)


# ---- the pager

def _page(text):
    kernel.add_payload({"source": "page", "data": {"text/plain": text}, "start": 0})


def page(line):
    """Shows an object in the pager."""
    options, words = parse(line, "r")
    name = " ".join(words) or "_"
    try:
        value = eval(name, kernel.state("user_ns"))
    except Exception:
        print(f"Object `{name}` not found")
        return
    _page(str(value) if "r" in options else kernel.pretty(value))


def pycat(line):
    """Shows code in the pager."""
    try:
        code = find_code(line.strip())
    except (ValueError, TypeError, OSError):
        print("Error: no such file, variable, URL, history range or macro")
        return
    _page(code)


# ---- %notebook

def _notebook_cell(number, source):
    outputs = kernel.state("outputs")
    cell = {"cell_type": "code", "execution_count": number, "id": f"cell-{number}", "metadata": {},
            "outputs": [], "source": source.splitlines(keepends=True)}
    if number in outputs:
        cell["outputs"].append({
            "output_type": "execute_result", "execution_count": number, "metadata": {},
            "data": {"text/plain": kernel.pretty(outputs[number]).splitlines(keepends=True)}})
    return cell


def notebook(line):
    """Writes the cells of this session as a notebook file."""
    import json
    path = os.path.expanduser(line.strip().strip("'\""))
    if not path:
        raise UsageError("the following arguments are required: filename")
    cells = [_notebook_cell(number, source)
             for number, source in enumerate(kernel.state("inputs")[:-1]) if number]
    version = ".".join(map(str, sys.version_info[:3]))
    content = {"cells": cells, "nbformat": 4, "nbformat_minor": 5,
               "metadata": {"kernelspec": {"display_name": "Python (gridcell)", "language": "python",
                                           "name": "gridcell"},
                            "language_info": {"name": "python", "version": version}}}
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, ensure_ascii=False)
        file.write("\n")
