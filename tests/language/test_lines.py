# SPDX-License-Identifier: MIT
"""Along axes one goes in the order of memory: any layout, and no copy of the array. A few of the reductions, by the
day; all of them with LINES=all."""
import datetime
import os
import pathlib
import random

import numpy as np
import pytest
from numba import njit

REDUCTIONS = ("sum prod mean var std min max any all argmin argmax nansum nanprod nanmean nanvar nanstd nanmin nanmax nanargmin "
              "nanargmax ptp count_nonzero median").split()
LINES = {**{name: f"np.{name}(a, axis=AXIS)" for name in REDUCTIONS}, "add.reduce": "np.add.reduce(a, axis=AXIS)",
         "percentile": "np.percentile(a, 30, axis=AXIS)", "maximum.reduce": "np.maximum.reduce(a, axis=AXIS)",
         "subtract.reduce": "np.subtract.reduce(a, axis=AXIS)"}
if os.environ.get("LINES") != "all":
    LINES = {name: LINES[name] for name in random.Random(datetime.date.today().toordinal()).sample(sorted(LINES), 7)}
SHAPES = ((3, 4, 5), (1, 6, 1), (5, 1, 3), (2, 3, 40))


def inside(a):
    large = np.zeros([n + 2 for n in a.shape], a.dtype)
    large[1:-1, 1:-1, 1:-1] = a
    return large[1:-1, 1:-1, 1:-1]


LAYOUTS = {
    "C": lambda a: a.copy(), "F": np.asfortranarray, "reversed": lambda a: a[::-1, ::-1, ::-1].copy()[::-1, ::-1, ::-1],
    "strided": lambda a: np.repeat(a, 2, axis=2)[:, :, ::2], "inside": inside,
    "transposed": lambda a: a.transpose(1, 0, 2).copy().transpose(1, 0, 2), "broadcast": lambda a: np.broadcast_to(a[:1], a.shape),
}


@pytest.mark.parametrize("text", LINES.values(), ids=LINES.keys())
def test_layouts(text, rng, make):
    axis = rng.integers(0, 3)
    f = make(f"def f(a):\n    return {text.replace('AXIS', str(axis))}\n")
    compiled = njit(f)
    dtype = rng.choice(["float64", "float32", "int32", "int8", "complex128"] if "nan" not in text and "percent" not in text
                       and "median" not in text else ["float64", "float32"])
    for shape in SHAPES:
        a = rng.integers(-9, 9, shape).astype(dtype)
        if "nan" in text:
            a[rng.random(shape) < 0.2 * (np.arange(shape[axis]) > 0).reshape(np.where(np.arange(3) == axis, shape[axis], 1))] = np.nan
        for name, layout in LAYOUTS.items():
            got, want = compiled(layout(a)), f(layout(a))
            assert np.shape(got) == np.shape(want)
            assert np.allclose(got, want, rtol=1e-5, atol=1e-5, equal_nan=True), (dtype, shape, axis, name)


def peak_kib():
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))


@pytest.mark.parametrize("text", LINES.values(), ids=LINES.keys())
def test_no_copy(text, make):
    f = njit(make(f"def f(a):\n    return {text.replace('AXIS', '0')}\n"))
    for small, large in ((np.ones((3, 4)), np.ones((8000, 500))), (np.ones((4, 8))[:, ::2], np.ones((8000, 1000))[:, ::2])):
        f(small)
        pathlib.Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew
        before = peak_kib()
        f(large)
        assert peak_kib() - before < 8_000  # of 31,250 KiB that the items take


def test_order_of_additions(make):
    """Rows are added as NumPy adds them, one after another."""
    f = make("def f(a, axis):\n    return a.sum(axis)\n")
    a = np.random.default_rng(1).random((300, 70), np.float32)
    assert np.array_equal(njit(f)(a, 0), f(a, 0))
    assert np.array_equal(njit(f)(a, 1), f(a, 1))
