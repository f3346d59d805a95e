"""Every public name of numba.cuda and numba says what it takes and raises, with an example that runs."""
import inspect
import itertools
import linecache
import re

import numpy as np
import numba
from numba.cuda.vector_types import vector_types
import pytest
from numba import cuda

_serial = itertools.count()


def public_names(module, names):
    for name in names:
        value = getattr(module, name)
        is_error = isinstance(value, type) and issubclass(value, (BaseException, Warning))
        if is_error or isinstance(value, numba.types.Type):
            continue
        if inspect.ismodule(value):
            if value.__name__.startswith("cuda."):
                yield from ((f"{name}.{member}", getattr(value, member))
                            for member in vars(value) if not member.startswith("_"))
            continue
        if callable(value) or "Dim3" in type(value).__name__:
            yield name, value


DEVICE = dict(public_names(cuda, [name for name in dir(cuda) if not name.startswith("_")]))
HOST = dict(public_names(numba, [name for name in numba.__all__]))
CLASSES = {"DeviceNDArray", "In", "InOut", "Out", "Reduce", "reduce", "autojit", "declare_device",
           "compile", "compile_for_current_device", "compile_ptx_for_current_device", "require_context", "CudaAPIError",
           "deferred_type", "unliteral", *vector_types}


def example_of(doc):
    return inspect.cleandoc("\n" + doc.partition("Example:\n")[2])


def run(source):
    file = f"<example {next(_serial)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    names = {name: getattr(numba, name) for name in numba.__all__}
    exec(compile(source, file, "exec"), {**names, "np": np, "numba": numba, "cuda": cuda, "__name__": "examples"})


@pytest.mark.parametrize("table", [DEVICE, HOST], ids=["cuda", "numba"])
def test_every_name_is_described(table):
    missing = []
    for name, value in table.items():
        doc = value.__doc__ or ""
        first = doc.split("\n")[0]
        if name in CLASSES:
            continue
        if not re.match(r"[\w.]+(\(.*\))?$", first) or "Example:\n" not in doc:
            missing.append(name)
    assert missing == []


@pytest.mark.parametrize("name", [name for name in {**DEVICE, **HOST} if name not in CLASSES])
def test_example(name):
    value = DEVICE.get(name) or HOST[name]
    run(example_of(value.__doc__))
