# SPDX-License-Identifier: MIT
"""Types that programs add by numba's low-level API, as the Interval of numba's manual does."""
import gc
import operator
import pickle
import subprocess
import sys
from contextlib import ExitStack

import numpy as np
import pytest
from conftest import BUILD, function_of
from llvmlite import ir

from numba import cuda, njit, objmode, prange, typed, typeof, types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.experimental import jitclass
from numba.extending import (NativeValue, as_numba_type, box, lower_builtin, make_attribute_wrapper, models, overload,
                             overload_attribute, overload_method, register_model, type_callable, typeof_impl, unbox)


class Interval:
    """A half-open interval of real numbers."""

    def __init__(self, lo, hi):
        self.lo = lo
        self.hi = hi

    def __repr__(self):
        return f"Interval({self.lo}, {self.hi})"

    @property
    def width(self):
        return self.hi - self.lo


class IntervalType(types.Type):
    def __init__(self):
        super().__init__(name="Interval")


interval_type = IntervalType()


@typeof_impl.register(Interval)
def typeof_interval(val, c):
    return interval_type


as_numba_type.register(Interval, interval_type)


@type_callable(Interval)
def type_interval(context):
    def typer(lo, hi):
        if isinstance(lo, types.Float) and isinstance(hi, types.Float):
            return interval_type
    return typer


@register_model(IntervalType)
class IntervalModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("lo", types.float64), ("hi", types.float64)])


make_attribute_wrapper(IntervalType, "lo", "lo")
make_attribute_wrapper(IntervalType, "hi", "hi")


@overload_attribute(IntervalType, "width")
def get_width(interval):
    return lambda interval: interval.hi - interval.lo


@overload_method(IntervalType, "shifted")
def ol_shifted(interval, by):
    return lambda interval, by: Interval(interval.lo + by, interval.hi + by)


@overload(operator.eq)
def ol_eq(a, b):
    if isinstance(a, IntervalType) and isinstance(b, IntervalType):
        return lambda a, b: a.lo == b.lo and a.hi == b.hi


@lower_builtin(Interval, types.Float, types.Float)
def impl_interval(context, builder, sig, args):
    interval = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    interval.lo, interval.hi = args
    return interval._getvalue()


@unbox(IntervalType)
def unbox_interval(typ, obj, c):
    is_error_ptr = cgutils.alloca_once_value(c.builder, cgutils.false_bit)
    interval = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    with ExitStack() as stack:
        for name in ("lo", "hi"):
            part = c.pyapi.object_getattr_string(obj, name)
            with cgutils.early_exit_if_null(c.builder, stack, part):
                c.builder.store(cgutils.true_bit, is_error_ptr)
            native = c.unbox(types.float64, part)
            c.pyapi.decref(part)
            with cgutils.early_exit_if(c.builder, stack, native.is_error):
                c.builder.store(cgutils.true_bit, is_error_ptr)
            setattr(interval, name, native.value)
    return NativeValue(interval._getvalue(), is_error=c.builder.load(is_error_ptr))


@box(IntervalType)
def box_interval(typ, val, c):
    ret_ptr = cgutils.alloca_once(c.builder, c.pyapi.pyobj)
    fail_obj = c.pyapi.get_null_object()
    with ExitStack() as stack:
        interval = cgutils.create_struct_proxy(typ)(c.context, c.builder, value=val)
        lo_obj = c.box(types.float64, interval.lo)
        with cgutils.early_exit_if_null(c.builder, stack, lo_obj):
            c.builder.store(fail_obj, ret_ptr)
        hi_obj = c.box(types.float64, interval.hi)
        with cgutils.early_exit_if_null(c.builder, stack, hi_obj):
            c.pyapi.decref(lo_obj)
            c.builder.store(fail_obj, ret_ptr)
        class_obj = c.pyapi.unserialize(c.pyapi.serialize_object(Interval))
        with cgutils.early_exit_if_null(c.builder, stack, class_obj):
            c.pyapi.decref(lo_obj)
            c.pyapi.decref(hi_obj)
            c.builder.store(fail_obj, ret_ptr)
        res = c.pyapi.call_function_objargs(class_obj, (lo_obj, hi_obj))
        c.pyapi.decref(lo_obj)
        c.pyapi.decref(hi_obj)
        c.pyapi.decref(class_obj)
        c.builder.store(res, ret_ptr)
    return c.builder.load(ret_ptr)


def ends(interval):
    assert type(interval) is Interval
    return interval.lo, interval.hi


# --- Types

def test_types_are_known_by_class_and_key():
    assert typeof(Interval(1.0, 2.0)) is interval_type
    assert IntervalType() == interval_type and hash(IntervalType()) == hash(interval_type)
    assert interval_type != types.float64 and types.float64 != interval_type
    assert (interval_type.name, interval_type.key, repr(interval_type)) == ("Interval",) * 3
    assert isinstance(interval_type, types.Type) and interval_type.is_precise()
    assert pickle.loads(pickle.dumps(interval_type)) == interval_type
    assert str(types.Tuple((interval_type, types.int64))) == "Tuple(Interval, int64)"
    assert interval_type.unify(None, interval_type) == interval_type and interval_type.unify(types.int64) is None
    assert interval_type.can_convert_to(None, types.int64) is None

    class Sized(types.Type):
        def __init__(self, size):
            self.size = size
            super().__init__(name=f"Sized({size})")

        @property
        def key(self):
            return self.size
    assert Sized(1) == Sized(1) != Sized(2)
    assert pickle.loads(pickle.dumps(interval_type(types.float64))) == interval_type(types.float64)


def test_an_object_is_no_type_before_it_has_a_name():
    class Nameless(types.Type):
        def __init__(self):
            pass
    with pytest.raises(TypeError, match="no type yet: its __init__ has to call that of Type"):
        hash(Nameless())
    assert "without a name" in repr(Nameless())


# --- Values

def test_the_manual_s_functions():
    @njit
    def inside(interval, x):
        return interval.lo <= x < interval.hi

    @njit
    def sum_of(i, j):
        return Interval(i.lo + j.lo, i.hi + j.hi)
    assert [inside(Interval(0.0, 1.0), x) for x in (-0.5, 0.0, 0.5, 1.0)] == [False, True, True, False]
    assert njit(lambda i: i.width)(Interval(1.0, 3.5)) == 2.5
    assert ends(sum_of(Interval(1.0, 2.0), Interval(3.0, 5.0))) == (4.0, 7.0)
    assert sum_of.signatures == [(interval_type, interval_type)]
    assert ends(njit(lambda i: i.shifted(2.0))(Interval(1, 2))) == (3.0, 4.0)
    assert ends(njit(lambda: Interval(hi=4.0, lo=3.0))()) == (3.0, 4.0)


def test_values_go_wherever_values_go():
    @njit
    def made(a):
        out = [Interval(0.0, 0.0)]
        for x in a:
            out.append(Interval(x, 2 * x))
        return out
    assert [ends(i) for i in made(np.arange(3.0))] == [(0.0, 0.0), (0.0, 0.0), (1.0, 2.0), (2.0, 4.0)]
    first, (lo, second), n = njit(lambda i: (i, (i.lo, i), 3))(Interval(1.0, 2.0))
    assert ends(first) == ends(second) == (1.0, 2.0) and (lo, n) == (1.0, 3)

    @njit
    def maybe(i, is_there):
        if is_there:
            return i
        return None
    assert ends(maybe(Interval(1.0, 2.0), True)) == (1.0, 2.0) and maybe(Interval(1.0, 2.0), False) is None

    @njit
    def total(intervals):
        s = 0.0
        for i in intervals:
            s += i.width
        return s
    both = Interval(1.0, 2.0), Interval(1.0, 5.0)
    assert total(both) == total(list(both)) == total(typed.List(both)) == 5.0

    @njit
    def closure(i):
        def inner(x):
            return x + i.width
        return inner(1.0)
    assert closure(Interval(1.0, 2.0)) == 2.0

    @njit
    def chosen(a, b, is_first):
        r = a if is_first else b
        for k in range(3):
            r = Interval(r.lo + 1, r.hi + 2)
        return r
    assert ends(chosen(*both, True)) == (4.0, 8.0) and ends(chosen(*both, False)) == (4.0, 11.0)

    @njit
    def in_dict(i):
        d = {1: i}
        d[2] = Interval(4.0, 5.0)
        return d[1].lo + d[2].hi
    assert in_dict(both[0]) == 6.0
    assert [ends(i) for i in njit(lambda i: (i for _ in range(2)))(both[1])] == [(1.0, 5.0)] * 2


def test_fields_of_compiled_classes():
    class Holder:
        def __init__(self, i):
            self.i = i

        def width(self):
            return self.i.width
    Holder = jitclass({"i": interval_type})(Holder)
    holder = Holder(Interval(1.0, 7.0))
    assert holder.width() == 6.0 and ends(holder.i) == (1.0, 7.0)


def test_loops_of_threads_and_parts_in_the_interpreter():
    @njit(parallel=True)
    def parallel(i, n):
        s = 0.0
        for k in prange(n):
            s += i.width
        return s
    assert parallel(Interval(1.0, 2.0), 10) == 10.0

    @njit
    def interpreted(i):
        with objmode(r="float64"):
            r = i.hi
        return r
    assert interpreted(Interval(1.0, 2.0)) == 2.0


def test_signatures_that_are_declared():
    f = njit(types.float64(interval_type))(lambda i: i.lo)
    assert f(Interval(3.0, 4.0)) == 3.0
    with pytest.raises(TypeError, match="No matching definition"):
        f(1.0)


def test_operators_that_the_program_overloads():
    f = njit(lambda a, b: a == b)
    assert f(Interval(1.0, 2.0), Interval(1.0, 2.0)) and not f(Interval(1.0, 2.0), Interval(1.0, 3.0))
    for text in ("(a,) == (b,)", "a in (b,)", "a in [b]"):
        g = njit(function_of(f"def f(a, b):\n    return {text}\n"))
        assert g(Interval(1.0, 2.0), Interval(1.0, 2.0)) and not g(Interval(1.0, 2.0), Interval(1.0, 3.0))
    with pytest.raises(TypingError, match="lt"):
        njit(lambda a, b: (a, 1) < (b, 2))(Interval(1.0, 2.0), Interval(1.0, 3.0))


def test_kernels_take_and_make_values():
    @cuda.jit
    def kernel(i, out):
        out[cuda.grid(1)] = i.width + Interval(1.0, 3.0).hi
    out = np.zeros(4)
    kernel[1, 4](Interval(1.0, 2.0), out)
    assert (out == 4.0).all()
    from numba.cuda import extending
    assert (extending.register_model, extending.typeof_impl, extending.models) == (register_model, typeof_impl, models)


def test_code_that_is_kept_on_disk(tmp_path):
    text = pathlib_text()
    (tmp_path / "kept.py").write_text(text + (
        "\n@njit(cache=True)\ndef f(i, x):\n    return Interval(i.lo + x, i.hi)\n"
        "print(f(Interval(1.0, 9.0), 3.0), sum(f.stats.cache_hits.values()))\n"))
    runs = [subprocess.run([sys.executable, "-m", "gridcell", "kept.py"], cwd=tmp_path, capture_output=True, text=True,
                           env={"PYTHONPATH": str(BUILD / "python"), "HOME": str(tmp_path)}) for _ in range(2)]
    assert [run.stdout for run in runs] == ["Interval(4.0, 9.0) 0\n", "Interval(4.0, 9.0) 1\n"], runs


def pathlib_text():
    """The program above, up to its tests, without the tests' helpers."""
    with open(__file__) as file:
        text = file.read().split("\n# --- Types\n")[0]
    return text.replace("from conftest import BUILD, function_of\n", "")


# --- Objects that are not what is expected

def test_what_unbox_raises():
    f = njit(lambda i: i.lo)

    class Odd(Interval):
        @property
        def lo(self):
            raise KeyError("no lo")

        @lo.setter
        def lo(self, value):
            pass
    with pytest.raises(KeyError, match="no lo"):
        f(Odd(1.0, 2.0))
    with pytest.raises(TypeError, match="expected a number, got <class 'str'>"):
        f(Interval("a", 2.0))
    assert f(Interval(1, 2)) == 1.0


def test_references_are_given_back():
    lo, hi = float("1.5"), float("2.5")
    interval = Interval(lo, hi)
    f = njit(lambda i: (i, i.lo))
    f(interval)
    gc.collect()
    before = [sys.getrefcount(value) for value in (lo, hi, interval, Interval)]
    for _ in range(100):
        f(interval)
    gc.collect()
    assert [sys.getrefcount(value) for value in (lo, hi, interval, Interval)] == before


# --- Members with memory of their own

class Named:
    def __init__(self, name, data, counts):
        self.name, self.data, self.counts = name, data, counts


class NamedType(types.Type):
    def __init__(self, item):
        self.item = item
        super().__init__(name=f"Named({item})")


@typeof_impl.register(Named)
def typeof_named(val, c):
    return NamedType(typeof(val.data).dtype)


@register_model(NamedType)
class NamedModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [
            ("name", types.unicode_type), ("data", types.Array(fe_type.item, 1, "C")),
            ("counts", types.DictType(types.int64, types.float64)), ("origin", types.pyobject)])


for _member in ("name", "data", "counts"):
    make_attribute_wrapper(NamedType, _member, _member)


@unbox(NamedType)
def unbox_named(typ, obj, c):
    named = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    model = NamedModel(None, typ)
    failed = cgutils.false_bit
    for member in ("counts", "data", "name"):  # the last may fail: Python's API is not called with an exception set
        part = c.pyapi.object_getattr_string(obj, member)
        native = c.unbox(model.get_member_fe_type(member), part)
        c.pyapi.decref(part)
        failed = c.builder.or_(failed, native.is_error)
        setattr(named, member, native.value)
    named.origin = obj
    return NativeValue(named._getvalue(), is_error=failed)


@box(NamedType)
def box_named(typ, val, c):
    named = cgutils.create_struct_proxy(typ)(c.context, c.builder, value=val)
    model = NamedModel(None, typ)
    parts = [c.box(model.get_member_fe_type(member), getattr(named, member)) for member in ("name", "data", "counts")]
    made = c.pyapi.call_function_objargs(c.pyapi.unserialize(c.pyapi.serialize_object(Named)), parts)
    for part in parts:
        c.pyapi.decref(part)
    return made


def counts_of(**pairs):
    counts = typed.Dict.empty(types.int64, types.float64)
    for key, value in pairs.items():
        counts[int(key[1:])] = value
    return counts


def test_strings_arrays_and_dicts_as_members():
    named = Named("one", np.arange(4.0), counts_of(k1=2.0))

    @njit
    def f(n):
        n.data[0] += 10
        n.counts[7] = n.data.sum()
        return n.name + "!", n.data[0], n
    text, first, back = f(named)
    assert (text, first) == ("one!", 10.0) and named.data[0] == 10.0 and named.counts[7] == 16.0
    assert type(back) is Named and back.name == "one" and back.data is named.data and dict(back.counts) == {1: 2.0, 7: 16.0}

    @njit
    def kept(n):
        values = [n]
        values.append(values[0])
        return values
    first, second = kept(Named("two", np.arange(3), counts_of()))
    assert first.name == second.name == "two" and (second.data == np.arange(3)).all()
    with pytest.raises(TypeError, match="expected a str"):
        f(Named(1, np.arange(4.0), counts_of()))


def test_memory_of_members_is_given_back():
    class Data(np.ndarray):
        pass

    @njit
    def f(n):
        return [n, n][1]
    name, data, counts = "x" * 1000, np.arange(1000.0), counts_of(k1=1.0)
    named = Named(name, data, counts)
    f(named)
    gc.collect()
    before = [sys.getrefcount(value) for value in (name, data, counts)]
    for _ in range(50):
        f(named)
    gc.collect()
    assert [sys.getrefcount(value) for value in (name, data, counts)] == before


def test_members_that_are_made_for_the_call():
    class Fresh(Named):
        @property
        def data(self):
            return np.arange(100000.0)

        @data.setter
        def data(self, value):
            pass
    back = njit(lambda n: n)(Fresh("a", None, counts_of()))
    assert back.data.sum() == np.arange(100000.0).sum()


# --- Models that are no structs

@pytest.mark.parametrize("be_type, kind, value", [
    (ir.IntType(8), types.int8, -3), (ir.IntType(16), types.int16, 300), (ir.IntType(32), types.int32, -70000),
    (ir.IntType(64), types.int64, 1 << 40), (ir.FloatType(), types.float32, 1.5), (ir.DoubleType(), types.float64, 2.5),
    (ir.IntType(1), types.boolean, True)], ids=str)
def test_values_that_are_one_number(be_type, kind, value):
    class Number:
        def __init__(self, value):
            self.value = value

    class NumberType(types.Type):
        def __init__(self):
            super().__init__(name="Number")

    typeof_impl.register(Number)(lambda val, c: NumberType())

    @register_model(NumberType)
    class NumberModel(models.PrimitiveModel):
        def __init__(self, dmm, fe_type):
            super().__init__(dmm, fe_type, be_type)

    @unbox(NumberType)
    def unbox_number(typ, obj, c):
        part = c.pyapi.object_getattr_string(obj, "value")
        native = c.unbox(kind, part)
        c.pyapi.decref(part)
        return native

    @box(NumberType)
    def box_number(typ, val, c):
        part = c.box(kind, val)
        made = c.pyapi.call_function_objargs(c.pyapi.add_const(Number), [part])
        c.pyapi.decref(part)
        return made

    def plain(number):
        raise NotImplementedError

    type_callable(plain)(lambda context: lambda number: kind if isinstance(number, NumberType) else None)
    lower_builtin(plain, NumberType)(lambda context, builder, sig, args: args[0])
    assert njit(lambda n: plain(n))(Number(value)) == value
    assert njit(lambda n: (n, [n]))(Number(value))[1][0].value == value


def test_values_of_which_nothing_is_known():
    class Token:
        pass

    class TokenType(types.Type):
        def __init__(self):
            super().__init__(name="Token")

    typeof_impl.register(Token)(lambda val, c: TokenType())
    register_model(TokenType)(models.OpaqueModel)
    unbox(TokenType)(lambda typ, obj, c: NativeValue(obj))

    @box(TokenType)
    def box_token(typ, val, c):
        c.pyapi.incref(val)
        return val
    token = Token()
    assert njit(lambda t: (t, t))(token) == (token, token)


def test_values_of_values():
    class PairType(types.Type):
        def __init__(self, first, second):
            self.types = first, second
            super().__init__(name=f"Pair({first}, {second})")

    register_model(PairType)(models.TupleModel)

    def pair(a, b):
        raise NotImplementedError

    def second_of(p):
        raise NotImplementedError

    type_callable(pair)(lambda context: lambda a, b: PairType(a, b))

    @lower_builtin(pair, types.Any, types.Any)
    def lower_pair(context, builder, sig, args):
        made = context.make_helper(builder, sig.return_type)
        made.f0, made.f1 = args
        return made._getvalue()
    make_attribute_wrapper(PairType, "f0", "first")
    make_attribute_wrapper(PairType, "f1", "second")
    f = njit(lambda i: pair(pair(i, 2), (i.lo, 3j)))
    with pytest.raises(TypeError, match=r"Pair\(Pair\(Interval, int64\), .*no way to Python, register one with @box"):
        f(Interval(1.0, 2.0))

    @njit
    def taken(i):
        p = pair(pair(i, 2), (i.lo, 3j))
        return p.first.first, p.first.second, p.second
    i, two, rest = taken(Interval(1.0, 2.0))
    assert ends(i) == (1.0, 2.0) and two == 2 and rest == (1.0, 3j)


def test_examples_of_the_documentation():
    import inspect

    import numba
    from numba import extending
    names = ("typeof_impl", "type_callable", "lower_builtin", "make_attribute_wrapper", "register_model", "box", "unbox")
    for name in names:
        doc = getattr(extending, name).__doc__
        example = inspect.cleandoc("\n" + doc.partition("Example:\n")[2])
        known = {each: getattr(extending, each) for each in (*names, "models")}
        function_of("def run():\n" + "".join(f"    {line}\n" for line in example.splitlines()), "run",
                    types=types, **known, **{each: getattr(numba, each) for each in numba.__all__})()


def test_whether_there_is_an_attribute():
    """Also by an overload, also in a branch; of other types as before."""
    def asked(i):
        return hasattr(i, "lo"), hasattr(i, "width"), hasattr(i, "shifted"), hasattr(i, "no")

    def given(i):
        return getattr(i, "lo", -1.0), getattr(i, "width", -1.0), getattr(i, "no", -1.0)

    @njit
    def chosen(i):
        if hasattr(i, "lo"):
            return i.lo
        return -1.0

    assert njit(asked)(Interval(1.0, 4.0)) == (True, True, True, False)
    assert njit(given)(Interval(1.0, 4.0)) == (1.0, 3.0, -1.0)
    assert chosen(Interval(1.0, 4.0)) == 1.0 and chosen(2.0) == -1.0
