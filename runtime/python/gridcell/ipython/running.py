"""%run and %load."""
import os
import shlex
import sys
import time
import types

import _gridcell_kernel as kernel
from IPython.core.error import UsageError


def _find_file(name):
    path = os.path.expanduser(name)
    for candidate in (path, path + ".py", path + ".ipy", path + ".ipynb"):
        if os.path.isfile(candidate):
            return candidate
    raise OSError(f"File `{name!r}` not found.")


def _notebook_cells(path):
    import json
    with open(path, encoding="utf-8") as file:
        notebook = json.load(file)
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield "".join(cell["source"])


def _split_options(line):
    flags, rest = set(), shlex.split(line)
    while rest and rest[0].startswith("-") and len(rest[0]) > 1:
        flag = rest.pop(0)
        flags |= set(flag[1:])
        if flag == "-m":
            break
    return flags, rest


def _run_script(path, arguments, name, space):
    with open(path, "rb") as file:
        source = file.read()
    if path.endswith(".ipy"):
        source = kernel.transform_cell(source.decode("utf-8"))
    code = compile(source, path, "exec", dont_inherit=True)
    module = types.ModuleType(name)
    module.__file__ = path
    if space is None:
        space = module.__dict__
    saved = sys.argv, sys.modules["__main__"], sys.path[0]
    sys.argv, sys.path[0] = [path, *arguments], os.path.dirname(os.path.abspath(path))
    if space is module.__dict__:
        sys.modules["__main__"] = module
    try:
        exec(code, space)
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            raise
    finally:
        sys.argv, sys.modules["__main__"], sys.path[0] = saved
    return space


def run_file(line):
    """Runs a script or notebook, and takes its names over into the user's namespace."""
    flags, rest = _split_options(line)
    if not rest:
        raise UsageError("you must provide at least a filename.")
    user = kernel.state("user_ns")
    start, cpu = time.perf_counter(), os.times()
    if "m" in flags:
        import runpy
        saved, sys.argv = sys.argv, rest
        try:
            space = runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        finally:
            sys.argv = saved
    else:
        path = _find_file(rest[0])
        if path.endswith(".ipynb"):
            for cell in _notebook_cells(path):
                kernel.run_cell(cell)
            return
        name = os.path.splitext(os.path.basename(path))[0] if "n" in flags else "__main__"
        space = _run_script(path, rest[1:], name, user if "i" in flags else None)
    if space is not user:
        user.update((key, value) for key, value in space.items() if not key.startswith("__"))
    if "t" in flags:
        now = os.times()
        print("\nIPython CPU timings (estimated):")
        print(f"  User   : {now.user - cpu.user:10.2f} s.")
        print(f"  System : {now.system - cpu.system:10.2f} s.")
        print(f"Wall time: {time.perf_counter() - start:10.2f} s.")


def load_file(line):
    """Puts the text of a file, or an object's source, into the cell."""
    import inspect
    name = line.split()[-1] if line.split() else ""
    try:
        path = _find_file(name)
        if path.endswith(".ipynb"):
            text = "\n\n".join(_notebook_cells(path))
        else:
            with open(path, encoding="utf-8") as file:
                text = file.read()
    except OSError:
        value = kernel.state("user_ns").get(name)
        if value is None:
            raise
        text = inspect.getsource(value)
    kernel.add_payload({"source": "set_next_input", "text": f"# %load {line}\n{text}",
                        "replace": True})


def set_numpy_precision(line):
    """NumPy prints with as many digits as %precision asks for."""
    import numpy
    digits = "".join(c for c in line.partition(".")[2] if c.isdigit()) if "%" in line else line
    if digits:
        numpy.set_printoptions(precision=int(digits))
