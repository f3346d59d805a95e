"""print() in kernels: more values than one call of the GPU's printf takes, complex numbers."""
from common import cuda, np


def printed(capfd, kernel, *args):
    capfd.readouterr()
    kernel[1, 1](*args)
    cuda.synchronize()
    return capfd.readouterr().out


def test_many_values(capfd):
    @cuda.jit
    def all_of(a):
        print(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11], a[12], a[13], a[14], a[15],
              a[16], a[17], a[18], a[19], a[20], a[21], a[22], a[23], a[24], a[25], a[26], a[27], a[28], a[29], a[30],
              a[31], "text", a[32], (a[33], a[34], (a[35], True)), a[36])

    a = np.arange(100, 137)
    head = " ".join(map(str, a[:32]))
    assert f"{head} text 132 (133, 134, (135, True)) 136\n" in printed(capfd, all_of, a)


def test_tuples_of_many_values(capfd):
    @cuda.jit
    def rows(a):
        row = (a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9])
        print(row, row, row, row, row)

    a = np.arange(10) * 1.5
    row = "(" + ", ".join(f"{x:f}" for x in a) + ")"
    assert " ".join([row] * 5) + "\n" in printed(capfd, rows, a)


def test_complex_numbers(capfd):
    @cuda.jit
    def both(a, b):
        print(a[0], b[0], "and", (a[1], 2))

    out = printed(capfd, both, np.array([1.5 - 2j, 3j]), np.array([-0.25 + 4j], np.complex64))
    assert "(1.500000-2.000000j) (-0.250000+4.000000j) and ((0.000000+3.000000j), 2)\n" in out
