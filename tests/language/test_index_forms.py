"""Every form of index that NumPy takes, read, assigned to and updated; and what a wrong shape says."""
import random

import numpy as np
import pytest

import numba
from conftest import function_of

A0, A1 = np.array(3.5), np.arange(6.0)
A2, A3 = np.arange(12.0).reshape(3, 4), np.arange(24).reshape(2, 3, 4)


def check(statements, array, *values):
    """Compares the function of `a, b, c` with itself in plain Python: its result, and what `a` became."""
    source = "def f(a, b=None, c=None):\n" + "".join(f"    {line}\n" for line in statements.split("; "))
    f = function_of(source)
    plain, compiled = array.copy(), array.copy()
    want = f(plain, *values)
    got = numba.njit(f)(compiled, *values)
    assert np.shape(got) == np.shape(want), statements
    assert np.array_equal(got, want), statements
    assert np.array_equal(compiled, plain), statements


def check_all(indices, array, *values):
    lines = [f"r{i} = a[{index}]" for i, index in enumerate(indices)]
    check("; ".join(lines + ["return a.sum()"]), array, *values)
    for index in indices:
        check(f"return a[{index}]", array, *values)


def test_lists_in_an_index():
    check_all(["[0, 1], [1, 2]", "[0, 1], :", ":, [0, 2]", ":, [True, False, True, False]", "-1, [0, -1]",
               "(1, 0), (1, 2)", "[1, 0], (1, 2)", "b, 1"], A2, [0, 2])
    check("t = ([0, 1], [0, 1]); return a[t]", A3)


def test_truths_in_an_index():
    check_all(["True", "False", "True, 1", "True, ...", "np.bool_(True)", "True, [0, 1]", "True, True", "b, c",
               "b, 0"], A2, True, False)
    check_all(["True", "a > 2", "a > 4", "...", "()", "None", "..., None"], A0)
    check("return a[b]", A1, np.array(True))


def test_masks_beside_others():
    check_all(["b[:, 0], 1", "b[:, 0], :2", "b[:, 0], None", "0, b", "1:, b", "..., b[0]", "b[:, 0], 1:, b[0]"],
              np.arange(36).reshape(3, 4, 3)[:, ::-1][:, :3], np.array([[1, 0, 1]] * 3, bool).T & np.array([1, 1, 0], bool))


def test_assignment_through_every_form():
    indices = ["[0, 1], [1, 2]", ":, [0, 2]", "True", "False", "1:, [True, False, True, False]", "...", "None",
               "np.array([0, 1])[:, None], [1, 2]", "a[:, 0] > 3, 1:", "t"]
    for index in indices:
        check(f"t = (1, 2); a[{index}] = b; a[{index}] += 2; return a.sum()", A2, 7.0)
    check("a[True] = 5; a[a > 2] = 6; a[()] += 1; return a[()]", A0)
    check("a[1] = (1, 2, 3, 4); a[:2] = [[1, 2, 3, 4], [5, 6, 7, 8]]; return a.sum()", A2)
    check("a[:] = b; a[[0, 1]] = b; return a.sum()", A2, np.arange(4.0).reshape(1, 1, 4))


def random_part(source, n):
    first, second = source.randrange(-n, n), source.randrange(-n, n)
    return source.choice([str(first), ":", "::-1", "1:", f"[{first}, {second}]", f"np.array([[{first}], [{second}]])",
                          str([i < 2 for i in range(n)])])


def random_index(source, shape):
    parts, axis = [], 0
    while axis < len(shape) and source.random() > 0.1:
        kind = source.random()
        if kind < 0.1:
            parts.append("None")
        elif kind < 0.15 and "..." not in parts:
            parts.append("...")
            break
        elif kind < 0.2:
            parts.append("True")
        else:
            parts.append(random_part(source, shape[axis]))
            axis += 1
    return ", ".join(parts or ["()"])


def test_random_forms():
    source = random.Random(3)
    for _ in range(40):
        shape = tuple(source.randrange(2, 5) for _ in range(source.randrange(1, 4)))
        array = np.arange(np.prod(shape)).reshape(shape)
        index = random_index(source, shape)
        check(f"r = a[{index}] + 0; a[{index}] += 7; return r", array)


def message_of(source, *args):
    with pytest.raises((ValueError, IndexError)) as caught:
        numba.njit(function_of(source))(*args)
    return str(caught.value)


@pytest.mark.parametrize("line, message", [
    ("a + b", "unable to broadcast argument 1 to output array: operands could not be broadcast together "
              "with shapes (3,) (4,)"),
    ("np.maximum(a, b) * 2", "unable to broadcast argument 1 to output array"),
    ("a.reshape((3, 1)) + b - a", "unable to broadcast argument 1 to output array: operands could not be "
                                  "broadcast together with shapes (3, 4) (3,)"),
    ("np.dot(a, b)", "incompatible array sizes for np.dot(a, b) (vector * vector): shapes (3,) and (4,)"),
    ("np.broadcast_to(a, (4, 2))", "operands could not be broadcast together with remapped shapes "
                                   "[original->remapped]: (3,) and requested shape (4, 2)"),
    ("np.where(a > 1, a, b)", "shape mismatch: objects cannot be broadcast to a single shape: (3,) and (4,)"),
    ("np.concatenate((a.reshape((1, 3)), b.reshape((1, 4))))",
     "np.concatenate(): input sizes over dimension 1 do not match: (1, 3) and (1, 4)"),
    ("a[b > 1]", "boolean index did not match indexed array: the mask has shape (4,), the array (3,)"),
    ("b.reshape((2, 2))[[0, 1], [0, 1, 0]]",
     "shape mismatch: indexing arrays could not be broadcast together with shapes (2,) (3,)"),
])
def test_shapes_that_differ(line, message):
    assert message_of(f"def f(a, b):\n    return {line}\n", np.arange(3.0), np.arange(4.0)).startswith(message)


@pytest.mark.parametrize("line, message", [
    ("a += b", "unable to broadcast argument 1 to output array: operands could not be broadcast together "
               "with shapes (3,) (4,)"),
    ("a[:1] += b", "non-broadcastable output operand with shape (1,) doesn't match the broadcast shape (4,)"),
    ("a[:] = b", "cannot assign slice of shape (3,) from input of shape (4,)"),
    ("a[:] = b.reshape((2, 2))", "cannot assign slice of shape (3,) from input of shape (2, 2)"),
    ("a[a < 3] = b", "cannot assign slice of shape (3,) from input of shape (4,)"),
    ("a[[0, 1]] = b", "cannot assign slice of shape (2,) from input of shape (4,)"),
])
def test_assignments_of_shapes_that_differ(line, message):
    assert message_of(f"def f(a, b):\n    {line}\n", np.arange(3.0), np.arange(4.0)) == message


def test_new_axes_keep_the_order_of_memory():
    indices = {"a[:, None]": "C", "a[None]": "C", "a[None, ..., None]": "A", "a[0, None]": "C", "a[None, 0, :, None]": "C",
               "a[:, None, 1:]": "A", "a.T[..., None]": "F", "a.T[None, ..., None]": "A", "a[1:, None]": "C",
               "a[1:][None, 1:]": "C", "a.T[:1, None]": "A", "a.T[None, :, 0]": "F", "a.T[:, None, 0]": "F", "a[0, None, ...]": "C"}
    parts = ", ".join([*indices, "a @ x[:, None]", "x[None] @ a", "np.linalg.solve(a, x[:, None])"])
    f = numba.njit(function_of(f"def f(a, x):\n    return {parts}\n", "f", np=np))
    a, x = np.arange(9.0).reshape(3, 3) + np.eye(3), np.arange(3.0)
    for got, want in zip(f(a, x), f.py_func(a, x)):
        assert got.shape == want.shape and np.allclose(got, want, atol=1e-12)
    made = f.nopython_signatures[0].return_type
    assert [kind.layout for kind in made][:len(indices)] == list(indices.values())


@pytest.mark.parametrize("given", [slice(None), slice(3), slice(1, None), slice(None, None, -1), slice(None, 2, -1),
                                   slice(4, None, -2), slice(1, 4, 2), slice(-3, -1)], ids=str)
def test_slices_that_come_back(given):
    """Ends that are left out stay so, but for the start of a slice that goes up, which is 0."""
    start = 0 if given.start is None and (given.step or 1) > 0 else given.start
    assert numba.njit(lambda s: s)(given) == slice(start, given.stop, given.step)
    assert numba.njit(lambda s: numba.literally(s))(given) == slice(start, given.stop, given.step)


@pytest.mark.parametrize("index", [2, np.uint64(1), slice(1, 3), slice(0, 3, 2), (1, 2), (1, slice(0, 2), -1), (np.array([0, 1]), 1),
                                   np.array([0, 2]), np.array([True, False, True]), [0, 2], np.array(1)], ids=repr)
def test_indices_that_may_be_none(index):
    """Parts of an index, and wholes, are what they are where they are there; else that is an error."""
    a = np.arange(60.0).reshape(3, 4, 5)
    for source in ("a[o]", "a[1, o]", "a[o, 1]", "a[..., o]", "a[o, None]"):
        space = {"a": a, "o": index}
        exec(f"def f(a, x, there):\n    o = x if there else None\n    return {source}\n"
             f"def store(a, x, there):\n    o = x if there else None\n    {source} = 7\n    return a\n", space)
        try:
            wanted = eval(source, space)
        except (IndexError, ValueError):  # a tuple in a tuple
            continue
        assert np.array_equal(numba.njit(space["f"])(a, index, True), wanted), source
        written = a.copy()
        exec(f"{source} = 7", {"a": written, "o": index})
        assert np.array_equal(numba.njit(space["store"])(a.copy(), index, True), written), source
        with pytest.raises(TypeError, match="None"):
            numba.njit(space["f"])(a, index, False)
