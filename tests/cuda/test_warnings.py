"""Warnings point at the line of the user that leads to them, by each way to it."""
import functools
import linecache
import warnings

import numpy as np
import pytest

from numba import cuda, jit, njit, vectorize
from numba.core import config

# by name: code whose marked line is where the warning belongs
CASES = {
    "nopython off": "@jit(nopython=False)  # here\ndef f(x):\n    return x\n",
    "nopython given to njit": "f = njit(nopython=True)(lambda x: x)  # here\n",
    "debug and opt": "f = cuda.jit(debug=True, opt=True)(lambda a: None)  # here\n",
    "debug and opt as a decorator": "@cuda.jit(debug=True, opt=True)  # here\ndef f(a):\n    pass\n",
    "debug and lineinfo": "f = cuda.jit('void(int64[:])', debug=True, opt=False, lineinfo=True)(lambda a: None)  # here\n",
    "nopython for the device": "f = vectorize(['f8(f8)'], target='cuda', nopython=True)(lambda x: x)  # here\n",
    "keywords of a ufunc": "f = vectorize(['f8(f8)'], target='cuda')(lambda x: x)\n\nf(np.ones(3), other=1)  # here\n",
    "small grid": "f = cuda.jit(lambda a: None)\n\nf[1, 32](device)  # here\n",
    "small grid, forall": "f = cuda.jit(lambda a: None)\n\nf.forall(8)(device)  # here\n",
    "small grid in a function": "f = cuda.jit(lambda a: None)\n\ndef run():\n    f[1, 32](device)  # here\n\nrun()\n",
    "small grid by a partial": "f = functools.partial(cuda.jit(lambda a: None)[1, 32])  # here\nf(device)\n",
    "host array": "f = cuda.jit(lambda a: None)\nf[4096, 32](np.ones(3))  # here\n",
    "small grid in a comprehension": "f = cuda.jit(lambda a: None)\n[f[1, 32](device)  # here\n for i in range(2)]\n",
    "small grid in a thread": "import threading\nf = cuda.jit(lambda a: None)\ndef run():\n    f[1, 32](device)  # here\n"
                              "t = threading.Thread(target=run)\nt.start()\nt.join()\n",
}


@pytest.mark.parametrize("name", CASES)
def test_place_of_warnings(name, monkeypatch):
    source, file = CASES[name], f"<warned {name}>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    for setting in ("CUDA_LOW_OCCUPANCY_WARNINGS", "CUDA_WARN_ON_IMPLICIT_COPY"):
        monkeypatch.setenv("NUMBA_" + setting, "1")
        monkeypatch.setattr(config, setting, 1)
    space = {"cuda": cuda, "jit": jit, "njit": njit, "vectorize": vectorize, "np": np, "functools": functools,
             "device": cuda.to_device(np.ones(3)), "__name__": "cell"}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        exec(compile(source, file, "exec"), space)
    line = 1 + [("# here" in text) for text in source.splitlines()].index(True)
    assert caught, "no warning"
    assert {(w.filename, w.lineno) for w in caught} == {(file, line)}, [str(w) for w in caught]


def test_filters_by_numbas_modules(monkeypatch):
    monkeypatch.setenv("NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS", "1")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.filterwarnings("ignore", module="numba.cuda.dispatcher")
        cuda.jit(lambda a: None)[1, 32](cuda.to_device(np.ones(3)))
    assert not caught


@pytest.mark.parametrize("term, says", [("a[i] * 2.5", "the literal 2.5"), ("a[i] * i", "an int64"), ("i / a[i]", "an int64"),
                                        ("a[i] + counts[i]", "an int32"), ("a[i] * np.float32(i)", None)])
def test_double_precision_by_accident(term, says, monkeypatch):
    """What makes arithmetic on float32 values run in float64 is named."""
    monkeypatch.setenv("NUMBA_CUDA_WARN_ON_DOUBLE", "1")
    monkeypatch.setattr(config, "CUDA_LOW_OCCUPANCY_WARNINGS", 0)
    space, file = {"cuda": cuda, "np": np}, f"<double {term}>"
    source = f"@cuda.jit\ndef kernel(a, counts, out):\n    i = cuda.grid(1)\n    out[i] = {term}\n"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    exec(compile(source, file, "exec"), space)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        space["kernel"][1, 32](*(cuda.to_device(np.ones(32, dtype)) for dtype in (np.float32, np.int32, np.float32)))
    texts = [str(w.message) for w in caught if "double precision" in str(w.message)]
    assert len(texts) == (says is not None) and all(f"kernel, line 4: {says} makes" in text for text in texts), texts
