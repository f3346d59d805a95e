"""The ledger of copies, and arguments that need not come back."""
from common import cuda, equal, is_emulated, new_doubler, np, raises
from gridcell import _gridcell


def copies():
    return [(direction, size, label) for direction, size, _, label in _gridcell.cuda_transfers(True)]


def test_explicit_copies():
    copies()
    a = np.arange(100.0)
    d = cuda.to_device(a)
    d.copy_to_host()
    d.copy_to_device(a)
    assert copies() == [("to device", 800, ""), ("to host", 800, ""), ("to device", 800, "")]
    assert copies() == []


def test_arguments_of_a_launch():
    @cuda.jit
    def scale(x, out, k):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = x[i] * k

    x, out = np.ones(64, np.float32), np.zeros(64, np.float32)
    copies()
    scale[2, 32](x, out, 3)
    equal(out, np.full(64, 3, np.float32))
    found = copies()
    if is_emulated():
        assert found == [("shared", 256, "scale: argument x"), ("shared", 256, "scale: argument out")]
    else:  # x is only read: it does not come back
        assert found == [("to device", 256, "scale: argument x"),
                         ("to device", 256, "scale: argument out"),
                         ("to host", 256, "scale: argument out")]
    scale[2, 32](cuda.In(x), cuda.Out(out), 2)
    found = copies()
    assert ("to host", 256, "scale: argument out") in found
    assert ("to host", 256, "scale: argument x") not in found


def test_what_counts_as_written():
    @cuda.jit(device=True)
    def put(a, i):
        a[i] = 1

    @cuda.jit(device=True)
    def get(a, i):
        return a[i]

    @cuda.jit
    def kernel(by_call, read, by_view, by_atomic, by_choice, other, rows):
        i = cuda.grid(1)
        put(by_call, i)
        v = by_view[1:]
        v[i] = get(read, i)
        cuda.atomic.add(by_atomic, 0, 1)
        chosen = by_choice if i < 2 else other
        chosen[i] = 7
        for row in rows:
            row[i] += 1

    def arrays():
        return [np.zeros(4), np.full(4, 5.0), np.zeros(5), np.zeros(1), np.zeros(4), np.zeros(4),
                np.zeros((2, 4))]

    host = arrays()
    kernel[1, 4](*host)
    equal(host[0], np.ones(4))
    equal(host[1], np.full(4, 5.0))
    equal(host[2], [0.0, 5, 5, 5, 5])
    equal(host[3], [4.0])
    equal(host[4], [7.0, 7, 0, 0])
    equal(host[5], [0.0, 0, 7, 7])
    equal(host[6], np.ones((2, 4)))


def test_machine_code_needs_the_toolkit():
    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)] = 1

    kernel[1, 4](np.zeros(4))
    try:
        (text,) = kernel.inspect_sass().values()
        assert "kernel" in text and "EXIT" in text
        assert "digraph" in list(kernel.inspect_sass_cfg().values())[0]
    except RuntimeError as error:
        assert "CUDA toolkit" in str(error)

    @cuda.jit(device=True)
    def function(x):
        return x

    with raises(RuntimeError, "of a device function"):
        function.inspect_sass()


def test_what_is_only_read_does_not_come_back():
    @cuda.jit
    def kernel(written, read):
        i = cuda.grid(1)
        written[i] = read[i] * 10

    base = np.arange(8.0)  # the arguments overlap, so that every device copies them
    kernel[1, 4](base[2:6], base[:4])
    equal(base, [0.0, 1, 0, 10, 20, 30, 6, 7])


def test_launches_that_nobody_waited_for():
    double = new_doubler()
    x = cuda.to_device(np.ones(64))
    cuda.synchronize()
    assert _gridcell.cuda_unwaited_launches() == 0
    for _ in range(3):
        double[2, 32](x)
    assert _gridcell.cuda_unwaited_launches() == (0 if is_emulated() else 3)
    equal(x, np.full(64, 8.0))
    assert _gridcell.cuda_unwaited_launches() == 0
    double[2, 32](np.ones(64))  # which comes back: the launch waits
    assert _gridcell.cuda_unwaited_launches() == 0


def test_expressions_of_whole_arrays_write_to_one():
    @cuda.jit
    def kernel(out, a, b, row, single):
        out[:] = a + b * 2
        out += row
        np.add(a, b, out=single)

    out, a, b, row = np.zeros((2, 3)), np.ones((2, 3)), np.full((2, 3), 2.0), np.full(3, 10.0)
    single = np.zeros((2, 3), np.float32)
    copies()
    kernel[1, 1](out, a, b, row, single)
    equal(out, np.full((2, 3), 15.0))
    equal(single, np.full((2, 3), 3, np.float32))
    back = {label.rpartition(" ")[2] for direction, _, label in copies() if direction == "to host"}
    assert back == (set() if is_emulated() else {"out", "single"})
