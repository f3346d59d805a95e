// SPDX-License-Identifier: MIT
// From Python source and argument types to resolved IR: return types, errors, and what
// the IR looks like where it matters.
#include "test.h"

#include "infer_support.h"

// The return type of function f, or the error's text, in a static buffer.
static const char *outcome_on(
        enum target_kind target, const char *code, const char *types)
{
    static char text[ERROR_MESSAGE_SIZE];
    struct error err = {0};
    struct source *source = support_import(code, &err);
    struct ir_function *function =
            source ? support_infer(source, types, target, &err) : NULL;
    if (function && !ir_verify(function, &err))
        function = NULL;
    snprintf(text, sizeof text, "%s", function ? function->returns->name : err.message);
    source_destroy(source);
    return text;
}

static const char *outcome(const char *code, const char *types)
{
    return outcome_on(TARGET_HOST, code, types);
}

TEST(straight_line)
{
    CHECK_STR(
            outcome("def f(x, y):\n    return x + y * 2\n", "int64 float64"), "float64");
    CHECK_STR(outcome("def f(x):\n    'doc'\n    y = x\n    y += 1\n    return y\n",
                      "int32"),
            "int64");
    CHECK_STR(outcome("def f():\n    pass\n", ""), "none");
    CHECK_STR(outcome("f = lambda x: x / 2\n", "int64"), "float64");
    CHECK_STR(outcome("def f(x):\n    return (x, 1.5)\n", "int64"),
            "Tuple(int64, float64)");
    CHECK_STR(outcome("def f(a, b):\n    a, b = b, a\n    return a\n", "int64 float64"),
            "float64");
    CHECK_STR(outcome("def f(a):\n    (x, y), z = a, a\n    return x\n", "int64"),
            "No implementation of function Function(<built-in function exhaust_iter>) "
            "found for "
            "signature:\n \n >>> exhaust_iter(int64)\n \nOnly tuples, lists, "
            "arrays, ranges and strings are unpacked; with '*' only tuples and lists.");
}

TEST(control_flow)
{
    CHECK_STR(outcome("def f(x):\n    if x > 1:\n        return 1\n    return 2.5\n",
                      "int64"),
            "float64");
    CHECK_STR(outcome("def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    "
                      "return s\n",
                      "int64"),
            "int64");
    CHECK_STR(outcome("def f(n):\n    x = 0\n    for i in range(n):\n        x = x / 2 + "
                      "i\n"
                      "    return x\n",
                      "int64"),
            "float64");
    CHECK_STR(outcome("def f(n):\n    while True:\n        n -= 1\n        if n < 0:\n"
                      "            break\n    else:\n        n = 'a'\n    return n\n",
                      "int64"),
            "int64");
    CHECK_STR(outcome("def f(n):\n    for i in range(n):\n        if i == 3: continue\n"
                      "        if i == 5: break\n    else:\n        return -1\n    "
                      "return i\n",
                      "int64"),
            "int64");
    CHECK_STR(outcome("def f(a, b):\n    return a if a > b else b\n", "int64 float32"),
            "float64");
    CHECK_STR(outcome("def f(a, b):\n    return a and b\n", "int64 float64"), "float64");
    CHECK_STR(outcome("def f(a, b):\n    return 0 < a < b\n", "int64 float64"), "bool");
    CHECK_STR(outcome("def f(a):\n    if a:\n        return 1\n", "int64"),
            "OptionalType(int64)");
    CHECK_STR(outcome("def f(a):\n    if (n := a + 1) > 3:\n        return n\n    return "
                      "0\n",
                      "int8"),
            "int64");
    CHECK_STR(outcome("def f(a):\n    assert a > 0, 'positive'\n    raise "
                      "ValueError('x')\n",
                      "int8"),
            "none");
    CHECK_STR(outcome("def f(a, y=None):\n    if y is None:\n        return a\n    "
                      "return y.foo\n",
                      "int64 none"),
            "int64");
}

TEST(calls)
{
    CHECK_STR(outcome("@jit\ndef g(x, y=2.0):\n    return x * y\n"
                      "def f(a):\n    return g(a) + g(y=a, x=a)\n",
                      "int64"),
            "float64");
    CHECK_STR(outcome("@jit\ndef f(n):\n    if n < 2:\n        return n\n    return "
                      "f(n-1) + f(n-2)\n",
                      "int64"),
            "int64");
    CHECK_STR(
            outcome("@jit\ndef g(n):\n    if n == 0: return True\n    return f(n - 1)\n"
                    "@jit\ndef f(n):\n    if n == 0: return False\n    return g(n - 1)\n",
                    "int64"),
            "bool");
    CHECK_STR(outcome("@jit\ndef g(*args):\n    return args\n"
                      "def f(a):\n    return g(a, 1.0)\n",
                      "int64"),
            "Tuple(int64, float64)");
    CHECK_CONTAINS(outcome("@jit\ndef f(n):\n    return f(n - 1)\n", "int64"),
            "runaway recursion");
    CHECK_CONTAINS(
            outcome("@jit\ndef g(n):\n    return n\ndef f(n):\n    return g(n, n)\n",
                    "int64"),
            "g() too many arguments");
}

TEST(builtins)
{
    CHECK_STR(outcome("def f(x):\n    return math.sqrt(x)\n", "float32"), "float32");
    CHECK_STR(outcome("def f(x):\n    return math.floor(x)\n", "float32"), "int64");
    CHECK_STR(outcome("def f(x, y):\n    return math.pow(x, y)\n", "int64 int64"),
            "float64");
    CHECK_STR(outcome("def f(x):\n    return min(x, 1.0)\n", "float32"), "float64");
    CHECK_STR(outcome("def f(x):\n    return abs(x)\n", "complex64"), "float32");
    CHECK_STR(outcome("def f(x):\n    return round(x), round(x, 2)\n", "float64"),
            "Tuple(int64, float64)");
    CHECK_STR(outcome("def f(x):\n    return int(x), float(x), bool(x), complex(x)\n",
                      "float32"),
            "Tuple(int64, float32, bool, complex64)");
    CHECK_STR(
            outcome("def f(x):\n    return int32(x) + int8(1), float32(x)\n", "float64"),
            "Tuple(int64, float32)");
    CHECK_STR(outcome("def f(x):\n    return divmod(x, 3)\n", "int32"),
            "UniTuple(int64 x 2)");
    CHECK_STR(outcome("def f(n):\n    return random.random() + np.random.rand()\n",
                      "int64"),
            "float64");
    CHECK_STR(outcome("def f(n):\n    print('a', n, 1.5, (1, 2), None)\n", "int64"),
            "none");
    CHECK_STR(outcome("def f(z):\n    return z.real, z.conjugate(), abs(z * z + 1)\n",
                      "complex128"),
            "Tuple(float64, complex128, float64)");
    CHECK_STR(
            outcome("def f(n):\n    s = 0\n    for i in range(1, n, 2):\n        s += i\n"
                    "    for i in prange(n): s += i\n    return s, i, len(range(n))\n",
                    "uint64"),
            "Tuple(int64, uint64, int64)");
    CHECK_STR(outcome("def f(x):\n    return np.sqrt(x), np.minimum(x, 2), np.power(x, "
                      "x)\n",
                      "int16"),
            "Tuple(float32, int64, int16)");
}

TEST(arrays)
{
    CHECK_STR(outcome("def f(a):\n    s = 0\n    for i in range(a.shape[0]):\n        s "
                      "+= a[i]\n"
                      "    return s\n",
                      "float32[::1]"),
            "float64");
    CHECK_STR(outcome("def f(a):\n    m, n = a.shape\n    for i in range(m):\n        "
                      "for j in range(n):\n"
                      "            a[i, j] = i * j\n    return a.size, a.ndim, a.T\n",
                      "float32[:,::1]"),
            "Tuple(int64, int64, array(float32, 2d, F))");
    CHECK_STR(outcome("def f(a):\n    return a[1:], a[1:3, 2], a[0], a[..., 1], a[:, "
                      "None], a[-1, 1:]\n",
                      "int64[:,::1]"),
            "Tuple(array(int64, 2d, C), array(int64, 1d, A), array(int64, 1d, C), "
            "array(int64, 1d, A), "
            "array(int64, 3d, A), array(int64, 1d, C))");
    CHECK_STR(outcome("def f(a):\n    a[:] = 0\n    a[1:3] = a[5:7]\n    a[0] += 1.5\n"
                      "    for x in a:\n        pass\n    return x, len(a), a.dtype(3)\n",
                      "float32[:]"),
            "Tuple(float32, int64, float32)");
    CHECK_STR(outcome("def f(n):\n    a = np.zeros((n, 3), dtype=np.int32)\n    b = "
                      "np.empty_like(a)\n"
                      "    return a, b.copy(), np.zeros(n), a.reshape(3, n), "
                      "a.astype(np.float32)\n",
                      "int64"),
            "Tuple(array(int32, 2d, C), array(int32, 2d, C), array(float64, 1d, C), "
            "array(int32, 2d, "
            "C), array(float32, 2d, C))");
    CHECK_STR(
            outcome("def f(a):\n    s = 0.0\n    for i, (x, y) in enumerate(zip(a, a)):\n"
                    "        s += i * x * y\n    return s\n",
                    "float64[:]"),
            "float64");
    CHECK_STR(outcome("def f(t):\n    t = (t, 1, 2)\n    u = t + (3,)\n    return u[0], "
                      "u[-1], u[1:3], "
                      "len(u), 2 in t, t == t\n",
                      "int64"),
            "Tuple(int64, int64, UniTuple(int64 x 2), int64, bool, bool)");
    CHECK_STR(outcome("def f(i):\n    t = (1, 2, 3)\n    s = 0\n    for x in t: s += x\n"
                      "    return t[i]\n",
                      "int64"),
            "int64");
    CHECK_CONTAINS(outcome("def f(a):\n    return a[1, 2]\n", "int64[:]"),
            "The array has 1 dimension.");
    CHECK_CONTAINS(outcome("def f(a):\n    return a.foo\n", "int64[::1]"),
            "Unknown attribute 'foo' of type array(int64, 1d, C)");
}

TEST(whole_arrays)
{
    CHECK_STR(outcome("def f(a, b):\n    return a + b, a * 2.0, a > 1, np.sqrt(b), -a\n",
                      "float32[:] int32[:,::1]"),
            "Tuple(array(float32, 2d, C), array(float64, 1d, C), array(bool, 1d, C), "
            "array(float64, "
            "2d, C), array(float32, 1d, C))");
    CHECK_STR(outcome("def f(a):\n    a += 1\n    return a.sum(), np.mean(a), sum((1, "
                      "2)), a.max()\n",
                      "int16[:,:]"),
            "Tuple(int64, float64, int64, int16)");
    CHECK_STR(outcome("def f(n):\n    return np.arange(n), np.arange(1.5, n), "
                      "math.gcd(n, 3)\n",
                      "int64"),
            "Tuple(array(int64, 1d, C), array(float64, 1d, C), int64)");
    CHECK_CONTAINS(outcome("def f(a):\n    return a << a\n", "float32[:]"),
            "It takes integers.");
    CHECK_CONTAINS(outcome_on(TARGET_EMULATOR, "def f(a):\n    a.sort()\n", "float32[:]"),
            "not available in CUDA code");
}

TEST(functions_as_arguments)
{
    CHECK_STR(outcome("@jit\ndef g(h, x):\n    return h(x)\n@jit\ndef k(x):\n    return "
                      "x + 1\n"
                      "def f(x):\n    return g(k, x), g(math.sqrt, x)\n",
                      "int8"),
            "Tuple(int64, float64)");
}

TEST(cuda)
{
    CHECK_STR(outcome_on(TARGET_EMULATOR,
                      "def f(a, b, out):\n    i = cuda.grid(1)\n    if i < out.size:\n"
                      "        out[i] = a[i] + b[i]\n",
                      "float32[::1] float32[::1] float32[::1]"),
            "none");
    CHECK_STR(outcome_on(TARGET_EMULATOR,
                      "def f(out):\n    x, y = cuda.grid(2)\n    s = "
                      "cuda.shared.array(SHAPE, "
                      "dtype=float32)\n    t = cuda.local.array(shape=(2, G + 1), "
                      "dtype=np.int32)\n"
                      "    tx = cuda.threadIdx.x + cuda.blockIdx.x * cuda.blockDim.x\n"
                      "    s[tx, 0] = t[0, 1]\n    cuda.syncthreads()\n"
                      "    cuda.atomic.add(out, (x, y), s[0, 0])\n    "
                      "cuda.atomic.cas(out, (0, 0), 1, 2)\n"
                      "    out[0, 0] = cuda.laneid + cuda.gridsize(1)\n",
                      "float32[:,:]"),
            "none");
    CHECK_CONTAINS(outcome_on(TARGET_EMULATOR,
                           "def f(out, n):\n    s = cuda.shared.array(n, float32)\n    "
                           "out[0] = s[0]\n",
                           "float32[:] int64"),
            "'n' is not. Use literals");
    CHECK_CONTAINS(outcome("def f(out):\n    out[cuda.grid(1)] = 1\n", "float32[:]"),
            "can only be used in a CUDA kernel");
}

TEST(errors)
{
    CHECK_CONTAINS(outcome("def f(x):\n    return x + 'a'\n", "int64"),
            ">>> add(int64, Literal[str](a))");
    CHECK_STR(outcome("def f(x):\n    return foo_undefined(x)\n", "int64"),
            "NameError: name 'foo_undefined' is not defined");
    CHECK_STR(outcome("def f(x):\n    return vars(x)\n", "int64"),
            "Untyped global name 'vars': Cannot determine Numba type of <class "
            "'builtin_function_or_method'>");
    CHECK_CONTAINS(outcome("def f(x):\n    if x > 0:\n        y = 1\n    else:\n        "
                           "y = 'a'\n"
                           "    return y\n",
                           "int64"),
            "Cannot unify Literal[int](1) and Literal[str](a) for 'y'");
    CHECK_STR(outcome("def f(x):\n    y = z + x\n    z = y\n    return z\n", "int64"),
            "variable 'z' referenced before assignment");
    CHECK_CONTAINS(outcome("def f(x):\n    return math.foo(x)\n", "int64"),
            "Unknown attribute 'foo' of type Module(<module 'math'");
    CHECK_STR(outcome("def f(x):\n    class A: pass\n", "int64"),
            "Use of unsupported opcode (LOAD_BUILD_CLASS) found\n\n"
            "a class definition is not supported in a compiled function: define it "
            "outside, "
            "with numba.experimental.jitclass.");
    CHECK_CONTAINS(outcome("def f(x):\n    return [i for i in x]\n", "int64"),
            ">>> getiter(int64)");
    CHECK_CONTAINS(outcome("def f(x):\n    global G\n    G = 1\n", "int64"),
            "writing a global variable");
    CHECK_STR(outcome("def f(x):\n    with x: pass\n", "int64"),
            "a with statement is not supported in a compiled function, other than "
            "'with objmode(...):' and 'with parallel_chunksize(n):'.");
    CHECK_CONTAINS(outcome("def f(x):\n    for i in x:\n        pass\n", "int64"),
            ">>> getiter(int64)");
    CHECK_CONTAINS(outcome("def f(x):\n    print(x, file=x)\n", "int64"),
            "file is not supported");
}

TEST(error_places)
{
    struct error err = {0};
    struct source *source =
            support_import("def f(x):\n    y = x\n    return y + 'a'\n", &err);
    REQUIRE(source);
    CHECK(!support_infer(source, "int64", TARGET_HOST, &err));
    CHECK_INT(err.kind, ERROR_TYPING);
    CHECK_INT(err.span.line, 3);
    CHECK_INT(err.span.column, 11);
    CHECK_INT(err.span.end_column, 18);
    CHECK_CONTAINS(err.span.file, "<test");
    source_destroy(source);
}

// Zero before it is set, as numba has it.
TEST(read_before_set)
{
    CHECK_STR(outcome("def f(n):\n    for i in range(n):\n        y = i\n    return y\n",
                      "int64"),
            "int64");
}
