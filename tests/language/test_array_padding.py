# SPDX-License-Identifier: MIT
"""np.pad, bytes and lists of arrays, parts of real arrays, the sides of in-place products."""
import numpy as np
import pytest
from compare import check, check_each

MODES = "edge reflect symmetric wrap linear_ramp maximum minimum mean median".split()


def test_modes_of_pad(rng):
    whole = rng.integers(-9, 9, (4, 5))
    for a in (rng.random((3, 4)), whole[::-1, ::2]):
        check_each("\n".join(f"np.pad(a, ((1, 2), (0, 7)), '{mode}')" for mode in MODES), a)
    check_each("\n".join(f"np.pad(a, 2, '{mode}')" for mode in ("edge", "reflect", "symmetric", "wrap")), np.array([5.0]))


TRUTHS = np.array([[True, False, True], [False, False, False]])
NUMBERS = np.array([[1, 4j, 2], [5, 3j, 1 + 1j], [0, -1j, -7]])


@pytest.mark.sampled
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("a", [TRUTHS, TRUTHS.T, NUMBERS, NUMBERS[::-1], NUMBERS.astype(np.complex64)],
                         ids=["truths", "columns of truths", "numbers", "from behind", "narrow"])
def test_margins_of_truths_and_complex_numbers(a, mode):
    """They were refused by the modes that compute."""
    check(f"np.pad(a, ((1, 2), (0, 4)), '{mode}')", a)


def test_arguments_of_pad_for_complex_numbers():
    check_each("""
        np.pad(a, 2, 'linear_ramp', end_values=3j)
        np.pad(a, 2, 'median', stat_length=2)
        np.pad(a, 2, 'maximum', stat_length=((1, 2), (3, 1)))
        np.pad(a, 2, constant_values=1j)
        np.pad(a, 2, 'reflect', reflect_type='odd')
    """, NUMBERS)


def test_widths_are_integers():
    check_each("""
        np.pad(a, 1.5)
        np.pad(a, (1, 2.0))
        np.pad(a, True)
        np.pad(a, b)
        np.pad(a, b * 1.0)
        np.pad(a, -1)
        np.pad(a, [1, 2])
        np.pad(a[:0], 1, 'edge')
    """, np.zeros(2), np.array([1, 2]))


def test_widths_and_values_of_pad(rng):
    check_each("""
        np.pad(a, 1)
        np.pad(a, (1, 2))
        np.pad(a, [[1, 0], [2, 3]])
        np.pad(a, ((1,), (2,)), mode='constant')
        np.pad(a, ((1, 2), (0, 5)), constant_values=((1, 2), (3, 4)))
        np.pad(a, 3, 'linear_ramp', end_values=(5, -4))
        np.pad(a, 3, 'maximum', stat_length=((1, 2), (2, 1)))
        np.pad(a, -1)
        np.pad(a, 1, 'nonsense')
        np.pad(a[:, :0], ((1, 1), (2, 0)))
        np.pad(a[:, :0], 1, 'edge')
    """, rng.random((3, 4)))
    check("np.pad(a, 2, 'reflect')", np.array([1j, 2, 3]))
    check("np.pad(a, 1)", np.array(2.5))


def test_bytes_and_lists(rng):
    for a in (rng.random((2, 3)), np.arange(4, dtype="u2")[::-1], np.zeros(0), np.array([True, False])):
        check_each("""
            a.tobytes()
            a.T.tobytes()
            a.tobytes('F')
            a.tolist()
            a.real
            a.imag
        """, a)
    check("a.tobytes()", np.array(["2020-01-01", "NaT"], "M8[D]"))


def test_product_in_place(rng):
    check("a @= b; return a".replace("; ", "\n"), rng.random((3, 3)), rng.random((3, 3)))
    check("b = a\na @= a\nreturn b", rng.integers(0, 9, (3, 3)))
    check("np.matmul(a, b, out=c)\nreturn c", rng.random((2, 3)), rng.random((3, 4)), np.zeros((2, 4)))


def test_truth_values_add_and_multiply():
    x, y = np.array([True, False, True]), np.array([True, True, False])
    check_each("""
        a + b
        a * b
        np.add(a, b)
        np.multiply.outer(a, b)
    """, x, y)
    check_each("""
        -a[0]
        ~a[0]
        np.rint(a)
        np.reciprocal(a)
    """, np.array([3, 1], "u4"))
    check_each("np.angle(a)\nnp.angle(a[0])", np.array([-2.0, 0.0, 3.0]))


def test_names_of_dtypes():
    check_each("""
        np.arange(3, dtype='f4')
        np.arange(2, 9, 3, 'i2')
        np.linspace(0, 1, 3, dtype='f4')
        np.eye(3, dtype='i4')
        np.sum(a, dtype='f4')
        np.cumsum(a, dtype='i8')
        np.asarray(a, dtype='f4')
        np.identity(2, 'f4')
        np.full_like(a, 2, dtype='i2')
    """, np.arange(3.0))
