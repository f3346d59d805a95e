"""numba.typed: containers that Python and compiled code share."""
import builtins
import gc
import pickle

import numba
import numpy as np
import pytest
from numba import njit, types
from numba.core import errors
from numba.typed import Dict, List, Set


def test_list_in_python():
    l = List()
    assert repr(l) == "ListType[Undefined]([])" and len(l) == 0
    for x in (1, 2, 3):
        l.append(x)
    assert repr(l) == "ListType[int64]([1, 2, 3])" and str(l) == "[1, 2, 3]" and l._dtype == types.int64
    assert (l[0], l[-1], list(l[::-1]), 2 in l, 9 in l, l.index(3), l.count(1)) == (1, 3, [3, 2, 1], True, False, 2, 1)
    l.insert(0, 7)
    l.extend([8, 9])
    l[1] = 5
    del l[-1]
    l.reverse()
    assert list(l) == [8, 3, 2, 5, 7] and l.pop() == 7 and l.pop(0) == 8
    l.sort()
    l.remove(3)
    assert list(l) == [2, 5] and l.copy() == l and l != List([1])
    with pytest.raises(IndexError, match="^list index out of range$"):
        l[77]
    with pytest.raises(errors.TypingError):
        l.append("a")
    assert list(List([1.5, 2])) == [1.5, 2.0] and repr(List.empty_list(types.float64)) == "ListType[float64]([])"
    assert list(np.asarray(l)) == [2, 5] and pickle.loads(pickle.dumps(l)) == l
    nested = List([l])
    assert repr(nested) == "ListType[ListType[int64]]([[2, 5]])" and nested[0] is l


def test_dict_in_python():
    d = Dict.empty(types.unicode_type, types.float64)
    d["a"] = 1
    assert repr(d) == "DictType[unicode_type,float64]<iv=None>({a: 1.0})" and str(d) == "{a: 1.0}"
    d["b"] = 2.5
    assert list(d) == ["a", "b"] and list(d.items()) == [("a", 1.0), ("b", 2.5)] and d.get("z", 3) == 3
    assert list(d.values()) == [1.0, 2.5] and d.pop("a") == 1.0 and d.setdefault("q", 1.0) == 1.0 and "b" in d
    with pytest.raises(KeyError):
        d["zz"]
    del d["b"]
    d.update({"x": 4.0})
    assert dict(d) == {"q": 1.0, "x": 4.0} and d.copy() == d and d.popitem() == ("x", 4.0)
    assert pickle.loads(pickle.dumps(d)) == d and repr(Dict()) == "DictType[Undefined,Undefined]<iv=None>({})"
    other = Dict()
    other[(1, 2)] = np.ones(2)
    assert str(other._numba_type_) == "DictType[UniTuple(int64 x 2),array(float64, 1d, C)]<iv=None>"
    s = Set(types.intp)
    s.add(1)
    s.add(23)
    assert repr(s) == "SetType[int64]({1, 23})" and 23 in s and s == {1, 23} and sorted(s | {5}) == [1, 5, 23]


def test_passed_by_reference(make):
    f = njit(make("def f(l, d):\n    l.append(len(d))\n    d[l[0]] = l\n    return l, d\n"))
    l, d = List([4]), Dict.empty(types.int64, types.ListType(types.int64))
    result = f(l, d)
    assert result[0] is l and result[1] is d and list(l) == [4, 0] and d[4] is l
    g = njit(make("def f(l):\n    s = 0\n    for x in l:\n        for y in x:\n            s += y\n    return s\n"))
    assert g(List([l, l])) == 8


def test_made_in_compiled_code(make):
    f = njit(make("def f(n):\n    l = List()\n    l.append(n)\n    m = List.empty_list(types.int64)\n    m.append(2)\n"
                  "    d = Dict.empty(key_type=types.int64, value_type=floats)\n    d[n] = np.ones(2)\n"
                  "    e = Dict()\n    e[n] = 'x'\n    return l, m, d, e, List([1.5])\n",
                  List=List, Dict=Dict, types=types, floats=types.float64[:]))
    l, m, d, e, k = f(4)
    assert [repr(x) for x in (l, m, e, k)] == [
        "ListType[int64]([4])", "ListType[int64]([2])", "DictType[int64,unicode_type]<iv=None>({4: x})",
        "ListType[float64]([1.5])"]
    assert list(d[4]) == [1, 1]


def test_arrays_are_kept(make):
    array = np.arange(3.0)
    l = List([array])
    store = njit(make("def f(l, a):\n    l.append(a)\n    l[0] = a\n"))
    assert l[0] is array
    store(l, np.full(3, 7.0))
    del array
    gc.collect()
    assert [list(x) for x in l] == [[7, 7, 7], [7, 7, 7]]


def test_types_and_signatures():
    f = njit(types.float64(types.ListType(types.float64)))(lambda l: sum(l))
    assert f(List([1.0, 2.5])) == 3.5
    assert str(types.ListType(types.int64)) == "ListType[int64]"
    assert str(types.DictType(types.int64, types.float64)) == "DictType[int64,float64]<iv=None>"
    for value, name in (([1], "reflected list(int64)<iv=None>"), ({1}, "reflected set(int64)"),
                        (List([1]), "ListType[int64]")):
        assert str(numba.typeof(value)) == name
    for made in (types.ListType(types.float32), types.DictType(types.int64, types.unicode_type),
                 types.SetType(types.int8)):
        assert pickle.loads(pickle.dumps(made)) is made or pickle.loads(pickle.dumps(made)) == made


def test_numbers_that_become_narrower(make):
    import warnings
    from numba.core.errors import NumbaTypeSafetyWarning, TypingError
    store = make("def f(d, k, v):\n    d[k] = v\n")

    def stored(key, value):
        d = Dict.empty(types.float32, types.int32)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            njit(store)(d, key, value)
        assert all(w.category is NumbaTypeSafetyWarning for w in caught)
        return list(d.items()), [str(w.message) for w in caught]

    def text(a, b):
        return f"unsafe cast from {a} to {b}. Precision may be lost."
    assert stored(np.uint64(3), 1) == (
        [(3, 1)], [text("uint64", "float32"), text("int64", "int32")])
    assert stored(np.int16(3), np.int32(1)) == ([(3, 1)], [])
    with pytest.raises(TypingError):
        stored(1, 2.5)

    # a key is what the dict keeps of it, for looking it up, too
    @njit
    def f(x):
        d = Dict.empty(types.float32, types.int32)
        s = set([np.float32(1)])
        s.add(x)
        s.add(np.float32(x))
        d[x] = 1
        d[x] = 2
        return len(d), d[x], x in d, d.get(x), d.pop(x), len(d), len(s)
    with pytest.warns(NumbaTypeSafetyWarning):
        assert f(1.1) == (1, 2, True, 2, 2, 0, 2)
    with pytest.raises(TypingError):
        njit(store)(Dict.empty(types.int64, types.int64), 1.5, 1)


def test_methods_of_the_host():
    l = List([3, 1, 2])
    l.sort(key=lambda x: -x)
    assert list(l) == [3, 2, 1] and l._list_type == types.ListType(types.int64)
    d = Dict.empty(types.unicode_type, types.float64)
    assert d._dict_type == types.DictType(types.unicode_type, types.float64)


def test_containers_in_annotations():
    assert (str(List[int]), str(Dict[str, float])) == (
        "numba.typed.typedlist.List[int]", "numba.typed.typeddict.Dict[str, float]")
    assert List[int].__origin__ is List and List[int].__args__ == (int,)


def test_modules_of_typed_objects():
    """What extensions of numba's make containers with."""
    from numba.typed.dictobject import new_dict
    from numba.typed.listobject import new_list

    @njit
    def f(n):
        items, table = new_list(types.int32, allocated=n), new_dict(types.unicode_type, value=types.float64)
        for i in range(n):
            items.append(i)
        table["n"] = n
        return items, table

    items, table = f(3)
    assert (repr(items), repr(table)) == ("ListType[int32]([0, 1, 2])", "DictType[unicode_type,float64]<iv=None>({n: 3.0})")
    assert (new_list(types.int32), new_dict(types.int32, types.int64)) == ([], {})


def test_long_lists_within_ipython(monkeypatch):
    """A list says all its items, but in IPython the first thousand."""
    long = List(range(1003))
    assert str(long) == str(list(range(1003)))
    monkeypatch.setattr(builtins, "get_ipython", None, raising=False)
    assert str(long) == str(list(range(1000)))[:-1] + ", ...]" and str(List([1, 2])) == "[1, 2]"
