"""Exceptions and assertions that threads raise, under debug=True."""
from common import cuda, equal, is_emulated, np, raises


class Unhappy(Exception):
    pass


@cuda.jit(debug=True, opt=False)
def choose(out, what):
    x, y, z = cuda.grid(3)
    if what == 1 and x == 2:
        raise ValueError("a bad value")
    if what == 2 and x == 5 and y == 1:
        raise Unhappy
    assert what != 3 or x != 6, "not six"
    if what == 4:
        out[x + 100] = 1
    if what == 5:
        out[x] = 1 // (x - x)
    out[x] = what


def test_class_message_and_coordinates():
    out = np.zeros(16)
    with raises(ValueError, "In function 'choose'", __file__, "line 13",
                "tid=[0, 0, 2] ctaid=[0, 0, 0]: a bad value"):
        choose[1, 8](out, 1)
    with raises(Unhappy, "tid=[0, 1, 1] ctaid=[0, 0, 1]"):
        choose[(2, 1), (4, 2)](out, 2)
    with raises(AssertionError, "tid=[0, 0, 2] ctaid=[0, 0, 1]: not six"):
        choose[2, 4](out, 3)


def test_index_and_division():
    out = np.zeros(16)
    with raises(IndexError, "out of bounds", "line 18"):
        choose[1, 8](out, 4)
    with raises(ZeroDivisionError, "line 20"):
        choose[1, 8](out, 5)


def test_the_next_launch_is_clean():
    out = np.zeros(16)
    with raises(ValueError):
        choose[2, 8](out, 1)
    choose[2, 8](out, 9)
    equal(out, np.full(16, 9.0))


def test_one_of_many_threads():
    out = np.zeros(1 << 16)
    with raises(ValueError, "tid=[0, 0, 2] ctaid=[0, 0, 0]"):
        choose[256, 256](out, 1)


def test_device_function():
    @cuda.jit(debug=True, opt=False)
    def root(x):
        if x < 0:
            raise ValueError("negative")
        return x + 0.5

    @cuda.jit(debug=True, opt=False)
    def kernel(a):
        i = cuda.grid(1)
        a[i] = root(a[i])

    a = np.array([4.0, 9, 16])
    kernel[1, 3](a)
    equal(a, [4.5, 9.5, 16.5])
    with raises(ValueError, "root", "negative"):
        kernel[1, 3](np.array([4.0, -9, 16]))


@cuda.jit(device=True)
def deeper(n):
    if n < 0:
        return 0
    return deeper(n + 1) + 1


def test_endless_recursion():
    @cuda.jit
    def plain(out):
        out[0] = deeper(1)

    @cuda.jit
    def with_barriers(out):
        cuda.syncthreads()
        out[0] = deeper(1)

    @cuda.jit
    def counted(out):
        out[0] = deeper(-5)

    for kernel in (plain, with_barriers) if is_emulated() else ():  # a GPU reports a fault
        with raises(RecursionError, "maximum recursion depth exceeded", "'deeper'", "tid=[0, 0, 0]"):
            kernel[1, 1](np.zeros(1))
    out = np.ones(1)
    counted[1, 1](out)
    assert out[0] == 0


def test_axes_out_of_bounds():
    @cuda.jit(debug=True, opt=False)
    def kernel(a, axis, out):
        out[0] = np.var(a[0], axis=axis[0])

    out = np.zeros(1)
    kernel[1, 1](np.array([[1.0, 3.0]]), np.array([-1]), out)
    assert out[0] == 1
    with raises(np.exceptions.AxisError, "an axis is out of bounds"):
        kernel[1, 1](np.ones((1, 2)), np.array([4]), out)
