# SPDX-License-Identifier: MIT
"""Items by their number: what a.flat and its parts are set to, and what a.item() finds."""
import numpy as np
import pytest
from compare import check_each, compiled

ARRAYS = {
    "C": np.arange(6).reshape(2, 3), "F": np.arange(6).reshape(2, 3).T, "strided": np.arange(24).reshape(4, 6)[::2, ::-2],
    "1d": np.arange(6), "backwards": np.arange(6)[::-1], "0d": np.array(3), "empty": np.zeros((0, 3), np.int64),
    "float32": np.zeros((2, 3), np.float32), "complex": np.zeros((2, 3), np.complex128), "bool": np.zeros(6, bool)}


@pytest.mark.parametrize("turn, layout", enumerate(ARRAYS))
def test_setting_all(turn, layout):
    """Values begin again where they come to an end; those that are too many are left out."""
    check_each("""
    a.flat = 3; return a
    a.flat = [1, 2]; return a
    a.flat = (1, 0, 2, 0); return a
    a.flat = b; return a
    a.flat = b.T; return a
    a.flat = b[0, :0]; return a
    a.flat = b[0, 1]; return a
    """, ARRAYS[layout], np.arange(10).reshape(5, 2), turn=turn)


@pytest.mark.parametrize("turn, layout", enumerate(name for name in ARRAYS if name not in ("0d", "empty")))
def test_setting_some(turn, layout):
    check_each("""
    a.flat[1:5] = b; return a
    a.flat[::-2] = b; return a
    a.flat[c] = b; return a
    a.flat[[0, -1]] = b; return a
    a.flat[d] = b; return a
    a.flat[d] = 1; return a
    a.flat[1:3] = b[:0]; return a
    a.flat[...] = b; return a
    a.flat[2] = 1; a.flat[-1] = 0; return a
    a.flat[6] = 1; return a
    a.flat[-7] = 1; return a
    a.flat[6]
    """, ARRAYS[layout], np.array([8, 9]), np.array([3, 1, 0]), np.array([True, False, True, True, False, True]), turn=turn)


@pytest.mark.parametrize("layout", ARRAYS)
def test_setting_parts(layout):
    check_each("""
    a.real = 3; return a
    a.imag = 3; return a
    a.real = a.imag + 1; return a
    a.real = b; return a
    """, ARRAYS[layout], np.zeros(7, bool))


@pytest.mark.parametrize("layout", ARRAYS)
def test_items_by_tuples(layout):
    a = ARRAYS[layout]
    check_each("""
    a.item(())
    a.item((0,))
    a.item((5,))
    a.item((0, 1))
    a.item((-1, -2))
    a.item((0, 7))
    a.item((0, 0, 0))
    a.item(-1)
    """, a)
    for call in "a.item(7)", "a.item(0, 7)", "a.item((1, -7))":
        if a.ndim == 2:
            with pytest.raises(IndexError) as want:
                eval(call)
            with pytest.raises(IndexError) as got:
                compiled(call, 1)(a)
            assert str(got.value) == str(want.value)
