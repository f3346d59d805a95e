"""The decorated object: options, signatures, overloads, binding, conversion."""
import pickle
import warnings

import numba
import numpy as np
import pytest
from numba import float32, float64, int32, int64, jit, njit
from numba.core import errors


def plain(a, b=2):
    """Adds."""
    return a + b


def test_attributes():
    f = njit(plain)
    assert f.__name__ == "plain" and f.__doc__ == "Adds." and f.__module__ == __name__
    assert f.py_func is plain and f.__wrapped__ is plain and f.signatures == []
    assert repr(f) == f"CPUDispatcher({plain!r})"
    import inspect
    assert str(inspect.signature(f)) == "(a, b=2)"
    assert inspect.getsource(f).startswith("def plain")


def test_overloads_by_type():
    f = jit(plain)
    assert f(1, 2) == 3 and f(1.5, 2) == 3.5 and f(1, 3) == 4
    assert f.signatures == [(int64, int64), (float64, int64)]
    assert str(f.signatures[0]) == "(int64, int64)"
    assert [str(s) for s in f.nopython_signatures] == [
        "(int64, int64) -> int64", "(float64, int64) -> float64"]
    assert list(f.overloads) == f.signatures
    assert f.overloads[(int64, int64)].signature.return_type is int64
    assert type(f(1, 2)) is int and type(f(1.0, 2)) is float


def test_binding():
    f = njit(plain)
    assert f(1) == 3 and f(b=1, a=5) == 6 and f(1, b=5) == 6
    for args, kwargs, text in [
            ((), {}, "not enough arguments: expected at least 1, got 0"),
            ((1, 2, 3), {}, "too many arguments: expected 2, got 3"),
            ((1,), {"a": 1}, "multiple values"), ((1,), {"c": 1}, "keyword argument 'c'"),
            ((), {"b": 1}, "missing argument 'a'")]:
        with pytest.raises(TypeError, match=text):
            f(*args, **kwargs)


def test_star_and_keyword_only(make):
    f = njit(make("def f(a, *rest):\n    s = a\n    for r in rest:\n        s += r\n    return s\n"))
    assert f(1, 2) == 3 and f(1, 2, 3) == 6
    g = njit(make("def f(a, *, k=3):\n    return a * k\n"))
    assert g(2) == 6 and g(2, k=5) == 10


def test_declared_signature_converts():
    f = njit("int32(int32)")(lambda x: x)
    assert f(1.9) == 1 and f(np.int8(3)) == 3 and f(True) == 1
    assert f.signatures == [(int32,)]
    for value, name in [(np.zeros(3), "array(float64, 1d, C)"), ("a", "unicode_type"),
                        (2 + 3j, "complex128")]:
        with pytest.raises(TypeError) as caught:
            f(value)
        assert str(caught.value) == f"No matching definition for argument type(s) {name}"


def test_best_of_several():
    f = njit(["float32(float32)", "float64(float64)", "int64(int64)"])(lambda x: x / 1 if x else x)
    assert len(f.signatures) == 3
    g = njit([float32(float32), float64(float64)])(lambda x: x * x)
    assert g(3) == 9.0 and g(np.float32(0.1)) == float(np.float32(0.1) * np.float32(0.1))
    assert g(0.1) == 0.1 * 0.1


def test_signature_forms():
    for signature in ("f8(i4)", "(i4,)", float64(int32), (int32,), ["f8(i4)"], [(int32,)]):
        f = njit(signature)(lambda x: x * 2.0)
        assert f.signatures == [(int32,)] and f(3) == 6.0


def test_signature_layouts():
    total = njit("f8(f8[:,:])")(lambda a: a[0, 0] + a[1, 2])
    c = np.arange(6.0).reshape(2, 3)
    assert total(c) == total(np.asfortranarray(c)) == 5.0
    contiguous = njit("f8(f8[:,::1])")(lambda a: a[1, 2])
    assert contiguous(c) == 5.0
    with pytest.raises(TypeError, match="No matching definition"):
        contiguous(np.asfortranarray(c))
    with pytest.raises(TypeError, match="No matching definition"):
        contiguous(c.astype(np.float32))


@pytest.mark.parametrize("bad, error, text", [
    ("floatxx(int32)", NameError, "name 'floatxx' is not defined"),
    ("3", TypeError, "invalid signature: '3' (type: 'str') evaluates to 'int' instead of tuple "
                     "or Signature"),
    ("int32(3)", TypeError, "evaluates to 'int32' instead of"),
    ("(int32, 3)", TypeError, "invalid type in signature: expected a type instance, got 3"),
    ("int32(int32, int32)", TypeError,
     "Signature mismatch: 2 argument types given, but function takes 1 arguments"),
    (3, TypeError, "The decorated object is not a function (got type <class 'int'>)."),
])
def test_bad_signatures(bad, error, text):
    with pytest.raises(error) as caught:
        njit(bad)(lambda x: x)
    assert text in str(caught.value)


def test_bad_uses():
    with pytest.raises(TypeError, match="on an already jitted function CPUDispatcher"):
        njit(njit(plain))
    with pytest.raises(TypeError, match="not a function .got type <class 'builtin"):
        njit(len)
    with pytest.raises(errors.DeprecationError, match="Deprecated keyword argument `argtypes`"):
        jit(argtypes=(int32,))
    with pytest.raises(ValueError, match="Only one of 'nopython' or 'forceobj' can be True."):
        jit(nopython=True, forceobj=True)
    f = jit(foo=True)(plain)
    with pytest.raises(KeyError, match="Unrecognized options: {'foo'}. Known options are dict_keys"):
        f(1, 2)
    with pytest.raises(ValueError, match="Unrecognized fastmath flags"):
        njit(fastmath={"quick"})(plain)
    with pytest.raises(NameError, match="Unrecognized parallel options"):
        njit(parallel={"quick": True})(plain)
    with pytest.warns(RuntimeWarning, match="nopython is set for njit and is ignored"):
        njit(nopython=True)(plain)


def test_disable_compile():
    f = njit(plain)
    f(1, 2)
    f.disable_compile()
    assert f(1, 2) == 3
    with pytest.raises(TypeError, match=r"argument type\(s\) complex128, int64"):
        f(1j, 2)


def test_recompile_sees_new_globals(make):
    f = njit(make("K = 1\ndef f(x):\n    return x + K\n"))
    assert f(1) == 2
    f.py_func.__globals__["K"] = 10
    f.recompile()
    assert f(1) == 11 and f.signatures == [(int64,)]


def test_method():
    class Thing:
        def __init__(self):
            self.x = 1

        @njit
        def add(a, b):
            return a

    assert Thing.add(3, 4) == 3
    assert Thing.add.__name__ == "add"
    bound = Thing().add
    assert bound.__func__ is Thing.__dict__["add"]


def test_fallback_to_interpreter():
    @jit
    def dict_function(x):
        return x["key"]

    with warnings.catch_warnings(record=True) as record:
        warnings.simplefilter("always")
        assert dict_function({"key": "value", "other": object()}) == "value"
    texts = [str(w.message) for w in record]
    assert any("object mode" in text for text in texts)
    assert all('"dict_function"' in text for text in texts)
    assert all(issubclass(w.category, errors.NumbaWarning) for w in record)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert dict_function({"key": 3, "other": object()}) == 3


def test_forced_object_mode():
    f = jit(forceobj=True)(lambda x, *rest: [x, *rest])
    assert f(1, 2) == [1, 2] and f({}) == [{}]


def test_no_fallback_with_nopython():
    @jit(nopython=True)
    def f(x):
        return x["key"]

    with pytest.raises(errors.TypingError) as caught:
        f({"key": object()})
    text = str(caught.value)
    assert text.startswith("Failed in nopython mode pipeline (step: nopython frontend)\n")
    assert "non-precise type pyobject" in text
    assert "- argument 0: Cannot determine Numba type of <class 'dict'>" in text


def test_overflow_of_arguments():
    with pytest.raises(errors.TypingError, match="Int value is too large"):
        njit(lambda x: x)(2**64)


@pytest.mark.parametrize("call, wanted", [
    ("h(1, 2)", (1, 2, 3)), ("h(1, b=2, c=5)", (1, 2, 5)), ("k(1)", (1, 2)), ("m(1, 2, c=7)", (2, 7)), ("m(c=3)", (0, 3)),
    ("h(a=1, b=2)", "positional-only arguments passed as keyword arguments: 'a'"), ("k(1, b=3)", "positional-only.*'b'"),
    ("h(1, 2, 3)", "too many arguments: expected 2, got 3"), ("h(1, 2, 3, c=4)", "too many arguments: expected 2, got 3"),
    ("h(1, 2, b=3)", "multiple values for argument 'b'"), ("h(1, 2, d=3)", "unexpected keyword argument 'd'"),
])
def test_arguments_by_position_or_name_alone(call, wanted, make):
    """As Python binds them, from Python and from compiled code, functions within functions too."""
    names = {"h": njit(lambda a, /, b, *, c=3: (a, b, c)), "k": njit(lambda a, b=2, /: (a, b)),
             "m": njit(lambda *args, c=1: (len(args), c))}
    within = {"h": "def h(a, /, b, *, c=3):\n        return a, b, c", "k": "def k(a, b=2, /):\n        return a, b",
              "m": "def m(*args, c=1):\n        return len(args), c"}
    for run in (lambda: eval(call, names), njit(make(f"def f():\n    return {call}\n", **names)),
                njit(make(f"def f():\n    {within[call[0]]}\n    return {call}\n"))):
        if isinstance(wanted, tuple):
            assert run() == wanted
        else:
            with pytest.raises((TypeError, errors.TypingError), match=wanted):
                run()


NUMBERS = [2**63, -2**63 - 1, 2**70, np.uint64(2**63), -1, np.int64(-1), np.int8(-1), 2**40, np.int64(2**40), 300, 1.5, -0.5, -1.5,
           2.0**70, np.float64(-(2.0**70)), np.float32(2.0**63), float("inf"), float("nan"), True, np.bool_(True)]


@pytest.mark.parametrize("form", ["plain", "optional", "tuple"])
@pytest.mark.parametrize("name", ["int64", "uint64", "int32", "uint8"])
def test_numbers_given_to_declared_integers(name, form):
    """What 64 bits of the type's sign do not hold is an error; what they hold is cut to the type's width."""
    kind = getattr(numba, name)
    taken = {"plain": kind, "optional": numba.optional(kind), "tuple": numba.types.UniTuple(kind, 1)}[form]
    f = njit(kind(taken))((lambda x: x[0]) if form == "tuple" else (lambda x: x))
    bits = np.int64 if kind.signed else np.uint64
    for number in NUMBERS:
        if form == "tuple" and isinstance(number, int) and not -2**63 <= number < 2**64:
            continue  # no type of ours holds it
        try:
            wanted = int(np.array(int(number), bits).astype(name))
        except (OverflowError, ValueError) as error:
            with pytest.raises(type(error)):
                f((number,) if form == "tuple" else number)
        else:
            assert f((number,) if form == "tuple" else number) == wanted, number


def test_disable_jit(monkeypatch):
    monkeypatch.setattr(numba.config, "DISABLE_JIT", 1)
    assert njit(plain) is plain


def test_jit_module(prints):
    code = ("import numba\ndef f(x): return x\ndef g(x): return x + 1\nnumba.jit_module()\n"
            "print(type(f).__name__, g(1))\n")
    prints("CPUDispatcher 2\n", "-m", "gridcell", code=code)


def test_compiler_warns_about_nothing(run_python):
    """A loop that LLVM cannot unroll, though told to."""
    code = ("import numpy as np\nfrom numba import njit\n@njit\ndef f(a, n):\n    for s in range(n):\n"
            "        for i in range(len(a)):\n            for k in range(3):\n                a[i, k] += 1.0 / a[i, k]\n"
            "        a = np.ones((len(a), 3))\n    return a.sum()\nprint(f(np.ones((4, 3)), 2))\n")
    done = run_python("-m", "gridcell", code=code)
    assert (done.stdout, done.stderr) == ("12.0\n", "")


module_level = njit(plain)


def test_pickle(run_python, tmp_path):
    again = pickle.loads(pickle.dumps(module_level))
    assert again is module_level
    code = ("import numba, pickle, sys\n"
            "@numba.njit\ndef helper(x):\n    return x + K\n\nK = 10\n"
            "@numba.njit('int64(int64)', fastmath=True)\ndef f(x):\n    return helper(x) * 2\n"
            "pickle.dump(f, open('f.pickle', 'wb'))\n")
    done = run_python("-m", "gridcell", code=code)
    assert done.stderr == ""
    code = ("import pickle\nf = pickle.load(open('f.pickle', 'rb'))\n"
            "print(f(1), f.signatures, f.targetoptions['fastmath'])\n")
    done = run_python("-m", "gridcell", code=code)
    assert done.stdout == "22 [(int64,)] True\n", done.stderr


def test_many_arguments(make):
    names = [f"a{i}" for i in range(40)]
    f = njit(make(f"def f({', '.join(names)}):\n    return {' + '.join(names)}\n"))
    assert f(*range(40)) == sum(range(40))


def test_freed_with_its_code(make):
    import gc
    import weakref
    f = njit(make("def f(x):\n    return f(x - 1) + 1 if x > 0 else 0\n"))
    f.py_func.__globals__["f"] = f
    assert f(5) == 5
    watch = weakref.ref(f)
    f.py_func.__globals__.clear()
    del f
    gc.collect()
    assert watch() is None


def test_stats_and_metadata():
    f = njit(plain)
    f(1, 2)
    assert f.stats.cache_misses[(int64, int64)] == 1 and f.stats.cache_path is None
    assert set(f.get_metadata((int64, int64))) >= {"pipeline_times", "timers"}


def test_declared_signatures_bind_compiled_callers():
    closed = njit("float64(int32)")(lambda x: x * 2)
    caller = njit(lambda y: closed(y))
    assert closed(3.7) == 6.0 and caller(3.7) == 6.0


def test_functions_as_arguments():
    square, apply = njit(lambda x: x * x), njit(lambda f, x: f(x) + 1)
    assert apply(square, 3) == 10 and apply(square, 1.5) == 3.25
