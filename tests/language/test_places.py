# SPDX-License-Identifier: MIT
"""Items that are written, or taken, at places that indices and masks name."""
import numpy as np
from compare import check, check_each


def test_values_of_no_items_are_written_nowhere():
    """They are given around and around: of none there is no next."""
    nothing, full = np.ones(0), np.ones((3, 3))
    check_each("""
        np.fill_diagonal(a, b); return a
        np.put(a, [0, 2], b); return a
        np.putmask(a, a > 0, b); return a
        np.place(a, a > 0, b); return a
        np.place(a, a > 9, b); return a
        a.put([1], b); return a
    """, full, nothing)


def test_masks_put_into_arrays_that_are_not_contiguous():
    values = np.array([-1.0, -2.0])
    for a in (np.asfortranarray(np.arange(12.0).reshape(3, 4)), np.arange(24.0).reshape(4, 6)[::2, ::3], np.arange(9.0)[::-2]):
        check_each("np.putmask(a, a > 3, b); return a\nnp.place(a, a > 3, b); return a", a, values)


def test_indices_of_any_integer_wrap_and_clip():
    a = np.arange(12.0)
    for indices in (np.array([300, 5], np.uint16), np.array([-300, 5], np.int16), 7, np.uint8(200)):
        check_each("np.take(a, b, mode='wrap')\nnp.take(a, b, mode='clip')", a, indices)


def test_compress_as_method():
    for a in (np.arange(12.0), np.arange(12).reshape(3, 4)):
        check_each("a.compress([True, False, True])\na.compress([True, False, True], axis=0)\n"
                   "np.compress([True, False, True], a)", a)


def test_keys_of_one_shape_for_lexsort():
    for shape in ((2,), (3, 4)):
        check("np.lexsort((a, b))", np.ones(3), np.ones(shape))


def test_places_that_are_no_integers_are_refused():
    for indices in (np.array([1.5]), np.array([[0.0, 1.0]], np.float32)):
        check_each("np.take(a, b, mode='wrap')\nnp.take(a, b, mode='clip')", np.arange(4), indices)
