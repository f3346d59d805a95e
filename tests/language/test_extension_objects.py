# SPDX-License-Identifier: MIT
"""c.pyapi: what generators of @unbox do to objects, beside what Python does to them."""
import operator

import pytest
from extension_values import class_of_values, named_type
from llvmlite import ir

from numba import njit
from numba.core import cgutils
from numba.extending import NativeValue, unbox

I32, I64 = ir.IntType(32), ir.IntType(64)
_count = iter(range(1000))


def done(generator, *objs):
    """What code gives for objects: the generator is given c and their addresses, and gives a new reference."""
    kind = named_type(f"Objects{next(_count)}", [])
    made = class_of_values(kind, "objs")

    @unbox(kind)
    def unbox_objects(typ, obj, c):
        given = c.pyapi.object_getattr_string(obj, "objs")
        result = generator(c, [c.pyapi.tuple_getitem(given, place) for place in range(len(objs))])
        c.pyapi.decref(given)
        is_error = c.pyapi.c_api_error()
        with cgutils.ifnot(c.builder, is_error):
            c.pyapi.object_setattr_string(obj, "result", result)
            c.pyapi.decref(result)
        value = cgutils.create_struct_proxy(typ)(c.context, c.builder)._getvalue()
        return NativeValue(value, is_error=is_error)
    holder = made(objs)
    njit(lambda x: 1)(holder)
    return holder.result


OPERATORS = {"add": "add", "subtract": "sub", "multiply": "mul", "truedivide": "truediv", "floordivide": "floordiv",
             "remainder": "mod", "lshift": "lshift", "rshift": "rshift", "and": "and_", "or": "or_", "xor": "xor",
             "power": "pow"}


@pytest.mark.parametrize("name", OPERATORS)
def test_operators(name):
    expected = getattr(operator, OPERATORS[name])(13, 3)
    for inplace in (False, True):
        assert done(lambda c, objs: getattr(c.pyapi, f"number_{name}")(*objs, inplace=inplace), 13, 3) == expected


def test_operators_of_one_object_and_in_place():
    assert [done(lambda c, objs: getattr(c.pyapi, f"number_{name}")(*objs), 5)
            for name in ("negative", "positive", "invert")] == [-5, 5, ~5]
    items = [1]
    assert done(lambda c, objs: c.pyapi.number_add(*objs, inplace=True), items, [2]) is items and items == [1, 2]
    with pytest.raises(TypeError, match="can only concatenate list"):
        done(lambda c, objs: c.pyapi.number_add(*objs), [1], 2)


@pytest.mark.parametrize("sign", ["<", "<=", "==", "!=", ">", ">=", "is", "is not", "in", "not in"])
def test_comparisons(sign):
    compare = eval(f"lambda a, b: a {sign} b")
    for a, b in (((1, (1, 2)), (3, (1, 2))) if "in" in sign else ((3, 4), (4, 3), (4, 4))):
        assert done(lambda c, objs: c.pyapi.object_richcompare(*objs, sign), a, b) is compare(a, b)
    if "in" in sign:
        with pytest.raises(TypeError, match="not iterable"):
            done(lambda c, objs: c.pyapi.object_richcompare(*objs, sign), 1, 2)


# --- Collections

def test_sets():
    def build(c, objs):
        made = c.pyapi.set_new()
        c.pyapi.set_add(made, objs[0])
        c.pyapi.decref(c.pyapi.set_update(made, objs[1]))
        return made
    assert done(build, 1, (2, 3)) == {1, 2, 3}
    assert done(lambda c, objs: c.pyapi.set_new(objs[0]), [4, 4]) == {4}
    assert done(lambda c, objs: c.pyapi.long_from_ssize_t(c.pyapi.set_size(objs[0])), {7, 8}) == 2
    held = {5}

    def clear(c, objs):
        c.pyapi.set_clear(objs[0])
        return c.pyapi.make_none()
    assert done(clear, held) is None and held == set()


def test_loops_over_sets_end_where_they_are_told_to():
    def total(c, objs):
        found = cgutils.alloca_once_value(c.builder, I64(0))
        with c.pyapi.set_iterate(objs[0]) as loop:
            value = c.pyapi.long_as_longlong(loop.value)
            c.builder.store(c.builder.add(c.builder.load(found), value), found)
            with c.builder.if_then(c.builder.icmp_signed(">", value, I64(100))):
                loop.do_break()
        return c.pyapi.long_from_longlong(c.builder.load(found))
    assert [done(total, items) for items in (set(), {1, 2, 39}, {101})] == [0, 42, 101]
    with pytest.raises(TypeError, match="not iterable"):
        done(total, 5)


def test_sequences_and_items():
    def first(c, objs):
        iterator = c.pyapi.object_getiter(objs[0])
        item = c.pyapi.iter_next(iterator)
        c.pyapi.decref(iterator)
        return item
    assert done(first, (7, 8)) == 7
    assert done(lambda c, objs: c.pyapi.sequence_tuple(*objs), [1, 2]) == (1, 2)
    assert done(lambda c, objs: c.pyapi.sequence_concat(*objs), [1], [2]) == [1, 2]
    assert done(lambda c, objs: c.pyapi.sequence_getslice(*objs, I64(1), I64(3)), "abcd") == "bc"
    items, table, thing = [1, 2], {1: 2, 3: 4}, type("Thing", (), {})()
    thing.x, thing.y = 1, 2

    def change(c, objs):
        c.pyapi.list_setslice(objs[0], 0, 1, objs[1])
        c.pyapi.object_delitem(objs[2], objs[3])
        c.pyapi.object_delattr_string(objs[4], "x")
        c.pyapi.object_delattr(objs[4], objs[5])
        return c.pyapi.make_none()
    done(change, items, [7, 8], table, 1, thing, "y")
    assert (items, table, vars(thing)) == ([7, 8, 2], {3: 4}, {})


def test_slices_as_numbers():
    def total(c, objs):
        is_whole, start, stop, step = c.pyapi.slice_as_ints(objs[0])
        with cgutils.ifnot(c.builder, is_whole):
            c.pyapi.err_clear()
        parts = c.builder.add(start, c.builder.add(stop, step))
        return c.pyapi.long_from_longlong(c.builder.select(is_whole, parts, I64(-99)))
    assert [done(total, slice(1, 20, 300)), done(total, slice(None, 2))] == [321, -99]


# --- Exceptions, arguments, texts

def test_exceptions_set_aside():
    def fail(keep_new):
        def generate(c, objs):
            c.pyapi.err_set_string("PyExc_ValueError", "old")
            with c.pyapi.err_push(keep_new=keep_new):
                c.pyapi.err_set_string("PyExc_TypeError", "new")
                if not keep_new:
                    c.pyapi.err_clear()
            return c.pyapi.get_null_object()
        return generate
    for keep_new, error, text in ((False, ValueError, "old"), (True, TypeError, "new")):
        with pytest.raises(error, match=text):
            done(fail(keep_new))

    def missing(c, objs):
        c.pyapi.raise_missing_global_error("weight")
        return c.pyapi.get_null_object()
    with pytest.raises(NameError, match="global name 'weight' is not defined"):
        done(missing)


def test_arguments_of_tuples():
    def second(c, objs):
        number, found = (cgutils.alloca_once(c.builder, kind) for kind in (I64, c.pyapi.pyobj))
        result = cgutils.alloca_once(c.builder, c.pyapi.pyobj)
        is_done = c.pyapi.parse_tuple(objs[0], "nO", number, found)
        with c.builder.if_then(cgutils.as_bool_bit(c.builder, is_done)):
            c.builder.store(c.pyapi.tuple_pack([c.builder.load(found)] * 2), result)
        return c.builder.load(result)
    assert done(second, (1, "q")) == ("q", "q")
    with pytest.raises(TypeError):
        done(second, ("q", 1))


def test_texts_and_bytes():
    def same(c, objs):
        is_text, data, size = c.pyapi.string_as_string_and_size(objs[0])
        made = cgutils.alloca_once(c.builder, c.pyapi.pyobj)
        with c.builder.if_then(is_text):
            c.builder.store(c.pyapi.string_from_string_and_size(data, size), made)
        return c.builder.load(made)
    assert done(same, "hé\0x") == "hé\0x"
    with pytest.raises(TypeError):
        done(same, 3)

    def length(c, objs):
        view = c.pyapi.alloca_buffer()
        status = c.pyapi.get_buffer(objs[0], view)
        with c.builder.if_then(c.builder.icmp_signed("==", status, I32(0))):
            c.pyapi.release_buffer(view)
        return c.pyapi.long_from_longlong(c.builder.sext(status, I64))
    assert done(length, b"abc") == 0
    with pytest.raises(TypeError):
        done(length, 3)


def test_objects_that_code_has_by_number_and_the_gil():
    kept = [1, "z"]

    def generate(c, objs):
        c.pyapi.restore_thread(c.pyapi.save_thread())
        c.pyapi.gil_release(c.pyapi.gil_ensure())
        found = c.env_manager.read_const(c.env_manager.add_const(kept))
        c.pyapi.incref(found)
        return found
    assert done(generate) is kept


def test_prints_go_to_sys_stdout(capsys):
    def show(c, objs):
        c.pyapi.print_object(objs[0])
        c.pyapi.print_string("; text; ")
        c.pyapi.sys_write_stdout("%d\n", I32(5))
        return c.pyapi.make_none()
    done(show, [1, 2])
    assert capsys.readouterr().out == "[1, 2]; text; 5\n"
