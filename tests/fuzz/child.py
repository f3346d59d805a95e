"""The process that runs generated programs: a JSON line in, a JSON line with the verdict out."""
import copy
import faulthandler
import json
import linecache
import math
import os
import pathlib
import re
import resource
import sys
import warnings

import numpy as np

import oracle

BUILD = pathlib.Path(os.environ.get("GRIDCELL_BUILD",
                                    pathlib.Path(__file__).resolve().parents[2] / "build"))
sys.path.insert(0, str(BUILD / "python"))

import gridcell

gridcell.activate()

import numba
from numba.core import errors

# What Python finds at run time and compiled code when it is compiled, or not at all.
STATIC = (TypeError, AttributeError, NameError, NotImplementedError)
UNCLEAN = (SystemError, MemoryError, RecursionError, errors.InternalError)
MEMORY = 6 << 30


def plain(value):
    """A result as plain Python values."""
    if isinstance(value, np.ndarray):
        return ("array", value.shape, value.tolist())
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict) or type(value).__name__ in ("Dict", "DictType"):
        return {plain(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(plain(item) for item in value)
    if type(value).__name__ == "List":
        return [plain(item) for item in value]
    return value


def same(got, want):
    if isinstance(got, (int, float)) and isinstance(want, (int, float)):
        if isinstance(got, float) or isinstance(want, float):
            return (got != got and want != want) or got == want or math.isclose(
                got, want, rel_tol=1e-9, abs_tol=1e-12)
        return got == want
    if type(got) is not type(want):
        return False
    if isinstance(got, (list, tuple)):
        return len(got) == len(want) and all(map(same, got, want))
    if isinstance(got, dict):
        return list(got) == list(want) and all(same(got[key], want[key]) for key in got)
    if isinstance(got, str):
        return number_free(got) == number_free(want)
    return got == want


def number_free(text):
    """The text without what a number's unified type changes in it: 1.0 for 1, 1 for True."""
    return re.sub(r"\.0\b", "", text).replace("True", "1").replace("False", "0")


def clean(error):
    return not isinstance(error, UNCLEAN) and "nternal error" not in str(error)


def outcome(function, arguments):
    try:
        return plain(function(*arguments)), plain(tuple(arguments)), None
    except Exception as error:
        return None, plain(tuple(arguments)), error


def judge(got, want, checker):
    """None where the compiled outcome is one that it may be; otherwise what is wrong with it."""
    error, expected = got[2], want[2]
    if error is not None and not clean(error):
        return f"unclean: {type(error).__name__}: {error}"
    if checker is None or isinstance(error, (errors.NumbaError, *STATIC)):
        return None
    if expected is None and error is None:
        if same(got[0], want[0]) and same(got[1], want[1]):
            return None
        return f"result {got[0]!r}, arguments {got[1]!r}; Python: {want[0]!r}, {want[1]!r}"
    if "math domain" in str(expected) or isinstance(expected, STATIC) or isinstance(expected, (OverflowError, RecursionError)):
        return None
    if type(error) is type(expected):
        return None
    return f"{error!r}, result {got[0]!r}; Python: {expected!r}, result {want[0]!r}"


def run(source, calls, serial):
    file = f"<fuzz {serial}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    namespace = {"np": np, "math": math}
    exec(compile(source, file, "exec"), namespace)
    namespace["helper"] = numba.njit(namespace["helper"])
    compiled = numba.njit(boundscheck=True)(namespace["f"])
    decided = 0
    for call in calls:
        arguments = list(eval(call, {"np": np}))
        checker = None
        try:
            reference, checker = oracle.instrumented(source)
            want = outcome(reference["f"], copy.deepcopy(arguments))
        except oracle.Undecided as reason:
            want, checker = (None, None, None), None
            # whether its loops end is not known then
            if "steps" in str(reason) or re.search(r"^ +(for|while) ", source, re.MULTILINE):
                continue
        if isinstance(want[2], MemoryError):
            continue
        got = outcome(compiled, copy.deepcopy(arguments))
        trouble = judge(got, want, checker)
        if trouble:
            return {"wrong": f"f{call}: {trouble}"}
        decided += checker is not None and got[2] is None
    linecache.cache.pop(file, None)
    return {"decided": decided}


def main():
    # results go where a program's own output does not
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    print("ready", file=answers, flush=True)
    for serial, line in enumerate(sys.stdin):
        work = json.loads(line)
        try:
            answer = run(work["source"], work["calls"], serial)
        except Exception as error:
            answer = {"wrong": f"{type(error).__name__} outside a call: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
