"""A sample of the enumeration of intrinsics, the same in every run: tests/exhaustive/cuda_intrinsics.py has all."""
import pathlib
import random
import sys

from common import np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "exhaustive"))

import cuda_intrinsics

CASES = 160
SEED = 3


def test_sample_of_intrinsics():
    known = list(cuda_intrinsics.cases())
    chosen = random.Random(SEED).sample(known, CASES)
    wrong = {name: cuda_intrinsics.failure(check, SEED, 2) for name, check in chosen}
    assert not any(wrong.values()), {name: text for name, text in wrong.items() if text}


def test_wrong_models_are_found():
    """A harness that compares nothing finds nothing."""
    right = dict(cuda_intrinsics.SOURCES), dict(cuda_intrinsics.BITS)
    try:
        cuda_intrinsics.SOURCES["shfl_up_sync"] = lambda n, b: n - b if n > b else n + 1
        cuda_intrinsics.BITS["clz"] = lambda n, bits: bits - n.bit_length() + (n == 1)
        for name, check in cuda_intrinsics.cases():
            if name in ("shuffle shfl_up_sync float64", "bit clz uint16"):
                assert cuda_intrinsics.failure(check, SEED, 4), name
    finally:
        cuda_intrinsics.SOURCES.update(right[0])
        cuda_intrinsics.BITS.update(right[1])


def test_floats_nearest_to_fractions():
    import fractions
    for dtype, text in ((np.dtype("f2"), "0.1"), (np.dtype("f4"), "16777217"), (np.dtype("f8"), "1e-320"), (np.dtype("f4"), "-3e-42")):
        assert cuda_intrinsics.nearest(fractions.Fraction(text), dtype) == dtype.type(float(text)), text
