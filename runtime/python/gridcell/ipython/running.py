"""%run: scripts, modules and notebooks, timed, under the profiler or in the debugger."""
import glob
import os
import resource
import shlex
import sys
import time
import types

import _gridcell_kernel as kernel
from IPython.core.error import UsageError

LETTERS = "nidtN:b:pD:l:rs:T:em:G"
PROFILER_LETTERS = "Dlrs Tq"
_MISSING = object()


def find_script(name):
    path = os.path.expanduser(name)
    for candidate in (path, path + ".py", path + ".ipy", path + ".ipynb"):
        if os.path.isfile(candidate):
            return candidate
    raise OSError(f"File `{name!r}` not found.")


def _split_options(line):
    """Options as a list of (letter, value), and the words after them; quotes of words are kept."""
    words, pairs = shlex.split(line, posix=False), []
    while words and words[0].startswith("-") and len(words[0]) > 1:
        cluster = words.pop(0)[1:]
        if cluster == "-":
            break
        while cluster:
            letter, cluster = cluster[0], cluster[1:]
            if letter not in LETTERS or letter == ":":
                raise UsageError(f'option -{letter} not recognized (allowed: "{LETTERS}")')
            value = None
            if LETTERS.partition(letter)[2].startswith(":"):
                if not cluster and not words:
                    raise UsageError(f'option -{letter} requires argument (allowed: "{LETTERS}")')
                value, cluster = cluster or words.pop(0), ""
            pairs.append((letter, value))
            if letter == "m":  # what follows is for the module
                return pairs, words
    return pairs, words


def _unquote(word):
    return word[1:-1] if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'" else word


def _expand(words, uses_wildcards):
    """Arguments with ~ and wildcards replaced, unless they are quoted."""
    expanded = []
    for word in words:
        if _unquote(word) != word:
            expanded.append(_unquote(word))
            continue
        path = os.path.expanduser(word)
        found = sorted(glob.glob(path)) if uses_wildcards else []
        expanded += found or [path.replace("\\*", "*").replace("\\?", "?")]
    return expanded


class Script:
    """A file to run, its arguments, and the namespace that it runs in."""

    def __init__(self, path, arguments, options):
        self.given, self.path = path, os.path.abspath(path)
        self.arguments, self.options = arguments, options
        self.user = kernel.state("user_ns")
        is_main = "n" not in options
        self.name = "__main__" if is_main else os.path.splitext(os.path.basename(path))[0]
        self.module = types.ModuleType(self.name)
        self.module.__file__ = self.path
        self.space = self.user if "i" in options else self.module.__dict__

    def compile(self):
        with open(self.path, "rb") as file:
            source = file.read()
        return compile(source, self.path, "exec", dont_inherit=True)

    def _forget_file(self, had_file, before):
        if self.space is not self.user:
            return
        if had_file:
            self.user["__file__"] = before
        else:
            self.user.pop("__file__", None)

    def run(self, execute):
        """Calls execute(code, namespace) with sys as the script expects it."""
        saved = sys.argv, sys.modules["__main__"], sys.path[0]
        had_file, before = "__file__" in self.space, self.space.get("__file__")
        sys.argv = [self.given, *self.arguments]
        sys.path[0] = os.path.dirname(self.path)
        if self.space is not self.user and self.name == "__main__":
            sys.modules["__main__"] = self.module
        self.space["__file__"], name = self.path, self.space.get("__name__")
        self.space["__name__"] = self.name
        try:
            execute(self.compile(), self.space)
        except SystemExit as leaving:
            if "e" not in self.options and leaving.code not in (None, 0):
                raise
        finally:
            sys.argv, sys.modules["__main__"], sys.path[0] = saved
            self._forget_file(had_file, before)
            self.space["__name__"] = name
            if self.space is not self.user:
                kept = {key: value for key, value in self.space.items() if not key.startswith("__")}
                self.user.update(kept)


def _cpu():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime, usage.ru_stime


def _run_timed(script, times):
    user, system = _cpu()
    start = time.perf_counter()
    for _ in range(times):
        script.run(exec)
    wall = time.perf_counter() - start
    user, system = _cpu()[0] - user, _cpu()[1] - system
    if times == 1:
        print("\nIPython CPU timings (estimated):")
        print(f"  User   : {user:10.2f} s.")
        print(f"  System : {system:10.2f} s.")
    else:
        print(f"\nIPython CPU timings (estimated):\nTotal runs performed: {times}")
        print(f"  Times  : {'Total':>10}   {'Per run':>10}")
        print(f"  User   : {user:10.2f} s, {user / times:10.2f} s.")
        print(f"  System : {system:10.2f} s, {system / times:10.2f} s.")
    print(f"Wall time: {wall:10.2f} s.")


def _run_profiled(script, pairs):
    from gridcell.ipython import profiling

    def execute(code, space):
        nonlocal stats
        stats = profiling.profile(lambda profile: profile.runctx(code, space, space),
                                  [(f"-{letter}", value or "") for letter, value in pairs])
    stats = None
    script.run(execute)
    return stats


def _run_debugged(script, place):
    from gridcell.ipython import debugging
    path, _, number = (place or "1").rpartition(":")

    def execute(code, space):
        debugger = debugging.make_debugger()
        debugger.stop_at(path or script.path, int(number))
        print("NOTE: Enter 'c' at the ipdb>  prompt to continue execution.")
        debugger.run(code, space, space)
    script.run(execute)


def _run_module(name, arguments):
    import runpy
    saved, sys.argv = sys.argv, [name, *arguments]
    try:
        return runpy.run_module(name, run_name="__main__", alter_sys=True)
    except SystemExit as leaving:
        if leaving.code not in (None, 0):
            raise
        return {}
    finally:
        sys.argv = saved


def _run_cells(path, arguments):
    """Runs a notebook, or a script with magics, in the user's namespace, cell after cell."""
    from gridcell.ipython.sources import notebook_cells
    if path.endswith(".ipynb"):
        cells = list(notebook_cells(path))
    else:
        with open(path, encoding="utf-8") as file:
            cells = [file.read()]
    user = kernel.state("user_ns")
    before, saved = user.get("__file__", _MISSING), sys.argv
    user["__file__"], sys.argv = os.path.abspath(path), [path, *arguments]
    try:
        for cell in cells:
            kernel.run_cell(cell, True)
    finally:
        sys.argv = saved
        user.pop("__file__", None)
        if before is not _MISSING:
            user["__file__"] = before


def run_file(line):
    """Runs a script, module or notebook, and takes its names over into the user's namespace."""
    pairs, words = _split_options(line)
    options = dict(pairs)
    arguments = _expand(words if "m" in options else words[1:], "G" not in options)
    if "m" in options:
        space = _run_module(options["m"], arguments[1:] if arguments[:1] == ["--"] else arguments)
        kept = {key: value for key, value in space.items() if not key.startswith("__")}
        kernel.state("user_ns").update(kept)
        return None
    if not words:
        raise UsageError("you must provide at least a filename.")
    path = find_script(_unquote(words[0]))
    if path.endswith((".ipy", ".ipynb")):
        _run_cells(path, arguments)
        return None
    script = Script(path, arguments, options)
    if "p" in options:
        return _run_profiled(script, [pair for pair in pairs if pair[0] in PROFILER_LETTERS])
    if "d" in options:
        _run_debugged(script, options.get("b"))
    elif "t" in options:
        _run_timed(script, int(options.get("N") or 1))
    else:
        script.run(exec)
    return None


def set_numpy_precision(line):
    """NumPy prints with as many digits as %precision asks for."""
    import numpy
    digits = "".join(c for c in line.partition(".")[2] if c.isdigit()) if "%" in line else line
    if digits:
        numpy.set_printoptions(precision=int(digits))
