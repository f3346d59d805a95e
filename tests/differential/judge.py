"""Runs one program both ways and says whether they differ, and how."""
import collections
import itertools
import linecache
import math
import re

import numpy as np

import device_model
import numba_model

_serial = itertools.count()


def describe(value):
    """A value as data that compares exactly: NaNs are alike, signs of zeros count."""
    if isinstance(value, (bool, np.bool_)):
        return "bool", bool(value)
    if isinstance(value, (int, np.integer)):
        return "int", int(value)
    if isinstance(value, (float, np.floating)):
        return "float", "nan" if math.isnan(value) else float(value).hex()
    if isinstance(value, (complex, np.complexfloating)):
        return "complex", describe(float(value.real)), describe(float(value.imag))
    if isinstance(value, str) or value is None:
        return value
    if isinstance(value, np.ndarray):
        return "array", str(value.dtype), value.shape, elements(value)
    if isinstance(value, (set, frozenset)):
        return "set", sorted(map(describe, value))
    if hasattr(value, "items"):
        return "dict", sorted((describe(key), describe(item)) for key, item in value.items())
    if isinstance(value, tuple):
        return type(value).__name__, [describe(item) for item in value]
    if hasattr(value, "__len__") and hasattr(value, "__getitem__"):
        return "list", [describe(item) for item in value]
    fields = [name for name in dir(value) if re.fullmatch(r"[abc]\d+", name)]
    return "object", [(name, describe(getattr(value, name))) for name in fields]


def elements(array):
    """An array's contents as bytes, with one kind of NaN."""
    if array.dtype.fields:
        return [elements(np.ascontiguousarray(array[name])) for name in array.dtype.fields]
    if array.dtype.kind == "c":
        return [elements(array.real), elements(array.imag)]
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
    return np.ascontiguousarray(array).tobytes()


FAILED = "Failed in nopython mode pipeline "
REFUSALS = {"TypingError", "UnsupportedError", "LoweringError"}
WORDS = {"tuple", "list", "dict", "set", "array", "int", "float", "bool", "complex", "object"}
FREE_TEXTS = {"KeyError", "RecursionError"}
FREE_PARTS = re.compile("zero-size|empty sequence|empty slice")


def outcome(function, arguments):
    """What a call did: its result or its exception, and what its arguments have become."""
    try:
        with np.errstate(all="ignore"):
            did = "result", describe(function(*arguments))
    except Exception as error:  # compared, whatever it is
        text = str(error)
        if type(error).__name__ in FREE_TEXTS or FREE_PARTS.search(text):
            text = ""
        did = "raised", type(error).__name__, text
    return did, [describe(argument) for argument in arguments]


def in_record(array):
    """The array as a field of a structured one: not contiguous, oddly aligned elements apart."""
    parent = np.zeros(array.shape, dtype=[("pad", np.int64), ("value", array.dtype), ("more", np.int64)])
    parent["value"] = array
    return parent["value"]


def ufunc_of(function, count, dtype):
    def apply(*operands):
        shape = operands[0].shape
        made = [function(*map(numba_model.plain, items)) for items in zip(*(operand.ravel() for operand in operands))]
        return np.array(made, dtype=dtype).reshape(shape)
    return apply


def gufunc_of(function):
    def apply(x, y, out):
        for place in np.ndindex(x.shape[:-1]):
            function(x[place], y, out[place])
    return apply


def reference_names():
    names = {name: value for name, value in vars(numba_model).items() if not name.startswith("_")}
    return {**names, "np": np, "math": math, "collections": collections, "in_record": in_record, "ufunc_of": ufunc_of, "gufunc_of": gufunc_of,
            "launch": device_model.launch, "atomic": device_model.atomic, "popc": device_model.popc,
            "clz": device_model.clz, "ffs": device_model.ffs}


def compiled_names():
    import numba
    from numba import cuda
    from numba.experimental import jitclass

    def typed_dict(items):
        made = numba.typed.Dict.empty(numba.int64, numba.float64)
        made.update(items)
        return made

    names = {name: getattr(numba, name) for name in (
        "njit", "vectorize", "guvectorize", "prange", "int64", "float64", "int32", "float32", "uint8", "boolean")}
    return {**names, "np": np, "math": math, "collections": collections, "in_record": in_record, "jitclass": jitclass, "cuda": cuda,
            "typed_list": numba.typed.List, "typed_dict": typed_dict}


def loaded(text, names, stem):
    """The namespace of a module, with its text where compilers look for it."""
    file = f"<{stem} {next(_serial)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace = dict(names, __name__="__main__")
    exec(compile(text, file, "exec"), namespace)
    return namespace


def sources(program):
    return text_of(program.code, program.arguments, "code"), text_of(program.ref, program.arguments, "ref")


def text_of(parts, calls, side):
    rows = [f"    [{', '.join(getattr(argument, side) for argument in call)}]," for call in calls]
    return "\n".join(["\n\n\n".join(parts), "\n\narguments = [", *rows, "]", ""])


def run(text, names, stem):
    namespace = loaded(text, names, stem)
    return [outcome(namespace["main"], arguments) for arguments in namespace["arguments"]]


def difference(expected, got):
    """None, or (class of the difference, text), of the first call that differs."""
    return next((difference_of_call(*call) for call in zip(expected, got) if call[0] != call[1]), None)


def difference_of_call(expected, got):
    """Numbers are left out of classes, so that like ones meet."""
    want, have = expected[0], got[0]
    if have[0] == "raised" and have != want:
        named = re.sub(r"-?\d+", "N", " ".join(have[2].split("\n")[:3]).replace(FAILED, ""))[:110]
        refused = have[1] in REFUSALS
        wanted = "" if refused else f" for {want[1] if want[0] == 'raised' else 'a result'}"
        return f"{have[1]}: {named}{wanted}", f"{want}\n{have}"
    if want[0] == "raised":
        return f"a result for {want[1]}", f"{want}\n{have}"
    if want != have:
        return f"result {shape_of(want[1], have[1])}", f"{want}\n{have}"
    return "changed arguments", f"{expected[1]}\n{got[1]}"


def shape_of(want, have):
    """Where two descriptions part, in words."""
    if isinstance(want, (tuple, list)) and isinstance(have, (tuple, list)) and len(want) == len(have):
        for one, other in zip(want, have):
            if one != other:
                head = want[0] if isinstance(want[0], str) and want[0] in WORDS else ""
                below = shape_of(one, other) if isinstance(one, (tuple, list)) else ""
                return f"{head} {below}".strip()
    return f"{type(want).__name__} for {type(have).__name__}" if type(want) != type(have) else ""
