"""numba.cuda.libdevice: every function compiles and computes what its name says."""
import math
import pathlib
import re

from common import cuda, equal, np, raises, rng
from gridcell import _gridcell
from gridcell.cuda.generated import define
from numba import float32
from numba.cuda import libdevice

NAMES = [name.rpartition(".")[2] for name in _gridcell.builtin_names()
         if name.startswith("cuda.libdevice.")]


def applied(name, *arguments):
    """libdevice.name over the items of arrays."""
    call = ", ".join(f"a{n}[i]" for n in range(len(arguments)))
    parameters = ", ".join(f"a{n}" for n in range(len(arguments)))
    text = (f"def kernel(out, {parameters}):\n    i = cuda.grid(1)\n    if i < out.size:\n"
            f"        out[i] = libdevice.{name}({call})\n")
    kernel = cuda.jit(define("kernel", text, {"cuda": cuda, "libdevice": libdevice}))
    out = np.zeros(len(arguments[0]), np.float64)
    kernel[1, len(out)](out, *arguments)
    return out


X = rng.uniform(0.05, 0.95, 32)
N = rng.integers(-2**31, 2**31, 32).astype(np.int32)
M = rng.integers(-2**31, 2**31, 32).astype(np.int32)


def vector(function, *arrays):
    return np.array([function(*items) for items in zip(*(a.tolist() for a in arrays))], float)


def test_float64_functions():
    references = dict(
        acos=math.acos, asinh=math.asinh, cbrt=lambda x: x ** (1 / 3), ceil=math.ceil,
        cospi=lambda x: math.cos(math.pi * x), erfc=math.erfc, exp10=lambda x: 10 ** x,
        expm1=math.expm1, lgamma=math.lgamma, normcdf=lambda x: math.erfc(-x / 2**.5) / 2,
        rcbrt=lambda x: x ** (-1 / 3), rsqrt=lambda x: x ** -0.5, tgamma=math.gamma,
        sinpi=lambda x: math.sin(math.pi * x), erfcx=lambda x: math.exp(x * x) * math.erfc(x),
        j0=lambda x: sum((-x * x / 4) ** k / math.factorial(k) ** 2 for k in range(20)),
        cyl_bessel_i0=lambda x: sum((x * x / 4) ** k / math.factorial(k) ** 2 for k in range(20)),
        cyl_bessel_i1=lambda x: sum(x / 2 * (x * x / 4) ** k / math.factorial(k) /
                                    math.factorial(k + 1) for k in range(20)))
    for name, reference in references.items():
        np.testing.assert_allclose(applied(name, X), vector(reference, X), rtol=4e-13,
                                   err_msg=name)


def test_inverses():
    np.testing.assert_allclose(vector(math.erf, applied("erfinv", X)), X, rtol=1e-13)
    np.testing.assert_allclose(vector(math.erfc, applied("erfcinv", X)), X, rtol=1e-13)
    np.testing.assert_allclose(applied("normcdf", applied("normcdfinv", X)), X, rtol=1e-13)
    assert applied("erfinv", np.array([1.0, -1, 0])).tolist() == [np.inf, -np.inf, 0]


def test_rounding_modes():
    tiny = np.full(4, 1e-30)
    x = np.array([1.0, -1.0, 3.0, 0.1])
    equal(applied("dadd_ru", x, tiny), np.nextafter(x, np.inf))
    equal(applied("dadd_rn", x, tiny), x)
    equal(applied("dsub_rd", x, tiny), np.nextafter(x, -np.inf))
    equal(applied("dadd_rz", x, tiny)[1:2], np.nextafter(x[1:2], 0))
    wide = np.array([1.1, -1.1])
    down, up = applied("double2float_rd", wide), applied("double2float_ru", wide)
    assert (down < wide).all() and (wide < up).all()
    equal(up, np.nextafter(down.astype(np.float32), np.float32(np.inf)).astype(float))
    equal(applied("double2int_rn", np.array([2.5, -2.5, 1e20, np.nan]))[:2], np.array([2.0, -2]))
    equal(applied("float2int_ru", np.array([2.1, -2.1], np.float32)), np.array([3.0, -2]))


def test_integers_and_bits():
    unsigned = lambda n: n & 0xFFFFFFFF
    signed = lambda n: (n & 0xFFFFFFFF) - (n >> 31 & 1) * 2**32
    references = dict(
        hadd=lambda m, n: (m + n) >> 1, rhadd=lambda m, n: (m + n + 1) >> 1, max=max, min=min,
        mulhi=lambda m, n: m * n >> 32, umulhi=lambda m, n: signed(unsigned(m) * unsigned(n) >> 32),
        umax=lambda m, n: signed(max(unsigned(m), unsigned(n))))
    for name, reference in references.items():
        equal(applied(name, M, N), vector(reference, M, N))
    equal(applied("popc", N), vector(lambda n: bin(unsigned(n)).count("1"), N))
    equal(applied("brev", N), vector(lambda n: signed(int(f"{unsigned(n):032b}"[::-1], 2)), N))
    equal(applied("clz", N), vector(lambda n: 32 - unsigned(n).bit_length(), N))
    equal(applied("float_as_int", X.astype(np.float32)),
          X.astype(np.float32).view(np.int32).astype(float))
    equal(applied("hiloint2double", applied("double2hiint", X).astype(np.int32),
                  applied("double2loint", X).astype(np.int32)), X)
    low, high = np.full(1, 0x03020100, np.int32), np.full(1, 0x07060504, np.int32)
    equal(applied("byte_perm", low, high, np.full(1, 0x7410, np.int32)), np.array([0x07040100]) * 1.)


def test_results_through_pointers():
    @cuda.jit
    def kernel(x, tens, out):
        i = cuda.grid(1)
        s, c = libdevice.sincos(x[i])
        out[i, 0], out[i, 1] = s, c
        fraction, whole = libdevice.modf(tens[i])
        out[i, 2], out[i, 3] = fraction, whole
        m, e = libdevice.frexp(x[i])
        out[i, 4], out[i, 5] = m, e
        r, q = libdevice.remquo(tens[i], 3.0)
        out[i, 6], out[i, 7] = r, q & 7
        s32, c32 = libdevice.sincosf(float32(x[i]))
        out[i, 8] = s32 * s32 + c32 * c32

    out = np.zeros((32, 9))
    kernel[1, 32](X, X * 10, out)  # a GPU may fuse the product with what follows
    np.testing.assert_allclose(out[:, 0], np.sin(X), rtol=1e-13)
    np.testing.assert_allclose(out[:, 1], np.cos(X), rtol=1e-13)
    equal(out[:, 2], np.modf(X * 10)[0])
    equal(out[:, 3], np.modf(X * 10)[1])
    equal(out[:, 4], np.frexp(X)[0])
    equal(out[:, 5], np.frexp(X)[1].astype(float))
    equal(out[:, 6], vector(lambda x: math.remainder(x * 10, 3.0), X))
    equal(out[:, 7], np.rint(X * 10 / 3))
    np.testing.assert_allclose(out[:, 8], 1, rtol=1e-5)


def call(name, signature):
    """A call with arguments in the ranges of all functions, and the number of its results."""
    code = signature[2:]
    inputs = code.split("P", 1)[0]
    stored = code.count("P")
    results = stored + (signature[0] != "V")
    values = {"D": "x", "F": "y", "I": "n", "L": "m"}
    return f"libdevice.{name}({', '.join(values[letter] for letter in inputs)})", results


def test_every_function_compiles_and_runs():
    table = pathlib.Path(__file__).resolve().parents[2] / "compiler/support/libdevice.def"
    entries = re.findall(r"^LIBDEVICE\((\w+), (\w+),", table.read_text(), re.M)
    assert sorted(name for _, name in entries) == sorted(NAMES) and len(NAMES) > 330
    for first in range(0, len(entries), 60):
        part = entries[first:first + 60]
        lines = ""
        for number, (signature, name) in enumerate(part):
            text, results = call(name, signature)
            lines += f"    out[{number}] = {text}{'[0]' if results > 1 else ''}\n"
        text = f"def kernel(out, x, y, n, m):\n{lines}"
        kernel = cuda.jit(define("kernel", text, {"libdevice": libdevice}))
        out = np.full(len(part), np.nan)
        kernel[1, 1](out, 0.5, np.float32(0.5), np.int32(3), 5)
        for (_, name), value in zip(part, out):
            expected_nan = name.startswith("acosh")
            assert np.isnan(value) == expected_nan, (name, value)


def test_wrong_arguments():
    @cuda.jit
    def few(out):
        out[0] = libdevice.pow(out[1])

    @cuda.jit
    def many(out):
        out[0] = libdevice.sin(out[1], out[0])

    @cuda.jit
    def text(out):
        out[0] = libdevice.sin("x")

    for kernel, words in ((few, "too few"), (many, "too many"), (text, "real numbers")):
        with raises(Exception, words):
            kernel[1, 1](np.zeros(2))
    with raises(NotImplementedError, "libdevice.sin", "host"):
        libdevice.sin(1.0)
