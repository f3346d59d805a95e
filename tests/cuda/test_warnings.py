"""Warnings about what is slow on a GPU."""
import os
import warnings

from common import cuda, np
from numba import float32
from numba.core.errors import NumbaInvalidConfigWarning, NumbaPerformanceWarning


def warned(launch):
    """The texts of the performance warnings of a launch, which the emulated device gives if asked."""
    os.environ["NUMBA_CUDA_WARN_ON_DOUBLE"] = "1"
    os.environ["NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"] = "0"
    os.environ["NUMBA_CUDA_WARN_ON_IMPLICIT_COPY"] = "0"
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            launch()
    finally:
        for name in ("DOUBLE", "IMPLICIT_COPY"):
            del os.environ[f"NUMBA_CUDA_WARN_ON_{name}"]
        del os.environ["NUMBA_CUDA_LOW_OCCUPANCY_WARNINGS"]
    return [str(w.message) for w in caught if issubclass(w.category, NumbaPerformanceWarning)]


def test_literals_that_widen():
    @cuda.jit
    def widened(a):
        i = cuda.grid(1)
        a[i] = a[i] * 0.5

    @cuda.jit
    def narrow(a):
        i = cuda.grid(1)
        a[i] = a[i] * float32(0.5) + float32(2)

    single, double = np.ones(4, np.float32), np.ones(4)
    line = widened.py_func.__code__.co_firstlineno + 3
    (text,) = warned(lambda: widened[1, 4](single))
    assert f"widened, line {line}: the literal 0.5 makes arithmetic on float32 values" in text and "float32(0.5)" in text
    assert warned(lambda: widened[1, 4](single)) == []  # once, when it is compiled
    assert warned(lambda: widened[1, 4](double)) == []
    assert warned(lambda: narrow[1, 4](single)) == []


def test_debug_with_optimisation():
    def texts(**options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cuda.jit(lambda a: None, **options)
        return [str(w.message) for w in caught if issubclass(w.category, NumbaInvalidConfigWarning)]

    told = ["debug=True with opt=True is not supported by CUDA. This may result in a crash - set "
            "debug=False or opt=False."]
    assert texts(debug=True) == texts(debug=True, opt=True) == told
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", category=NumbaInvalidConfigWarning, module="numba")
        cuda.jit(debug=True)
    assert texts(debug=True, opt=False) == texts() == texts(opt=True) == []
    os.environ["NUMBA_OPT"] = "0"
    try:
        assert texts(debug=True) == []
    finally:
        del os.environ["NUMBA_OPT"]
