# SPDX-License-Identifier: MIT
"""Iterators, and functions of functions: next, iter, map, filter, reduce, any, all, reversed."""
from gridcell.library import compiled
from gridcell.library.iteration import refuse_longer, refuse_shorter
from gridcell.library.list import IS_FROM_3_14


@compiled
def next_item(iterator):
    for x in iterator:
        return x
    raise StopIteration


@compiled
def next_or(iterator, default):
    for x in iterator:
        return x
    return default


@compiled
def iterate(iterable):
    """A generator of the items, which begins when it is asked."""
    for x in iterable:
        yield x


@compiled
def entries_since(container, size):
    if len(container) != size:
        if isinstance(container, set):
            raise RuntimeError("Set changed size during iteration")
        else:
            raise RuntimeError("dictionary changed size during iteration")
    for x in container:
        yield x


@compiled
def iterate_entries(container):
    """Over a dict, a view of one or a set, which must not change its size from now on."""
    return entries_since(container, len(container))


@compiled
def map1(function, a):
    for x in a:
        yield function(x)


@compiled
def map2(function, a, b):
    for x, y in zip(a, b):
        yield function(x, y)


@compiled
def map3(function, a, b, c):
    for x, y, z in zip(a, b, c):
        yield function(x, y, z)


@compiled
def filter_by(function, a):
    for x in a:
        if function(x):
            yield x


@compiled
def filter_true(function, a):
    for x in a:
        if x:
            yield x


@compiled
def enumerate_in_turn(iterable, start=0):
    i = int(start)
    for x in iterable:
        yield i, x
        i += 1


@compiled
def zip_in_turn(*iterables):
    """zip() of several generators: each gives up its item before the next is asked, which may be the same one,
    or one that asks it in its turn."""
    return in_turn(iterables[:-1], iterate(iterables[-1]))


@compiled
def in_turn(first, last):
    if len(first) == 0:
        for x in last:
            yield (x,)
    else:
        for items in in_turn(first[:-1], iterate(first[-1])):
            for x in last:
                yield items + (x,)
                break
            else:
                return


@compiled
def zip_strictly_in_turn(*iterables):
    """zip(strict=True) of things that have no length: one that ends asks the others whether they do."""
    return strictly_in_turn(iterables[:-1], iterate(iterables[-1]))


@compiled
def strictly_in_turn(first, last):
    if len(first) == 0:
        for x in last:
            yield (x,)
    else:
        for items in strictly_in_turn(first[:-1], iterate(first[-1])):
            for x in last:
                yield items + (x,)
                break
            else:
                refuse_shorter(len(first) + 1)
        for x in last:
            refuse_longer(len(first) + 1)


@compiled
def reduce_from(function, a, start):
    total = start
    for x in a:
        total = function(total, x)
    return total


@compiled
def reduce_first(function, a):
    is_first = True
    for x in a:
        if is_first:
            total = x
            is_first = False
        else:
            total = function(total, x)
    if is_first:
        raise TypeError("reduce() of empty iterable with no initial value")
    return total


@compiled
def any_of(iterable):
    for x in iterable:
        if x:
            return True
    return False


@compiled
def all_of(iterable):
    for x in iterable:
        if not x:
            return False
    return True


@compiled
def reverse(sequence):
    for i in range(len(sequence) - 1, -1, -1):
        yield sequence[i]


@compiled
def reverse_entries(d):
    items = list(d)
    for i in range(len(items) - 1, -1, -1):
        yield items[i]


@compiled
def unpacked(iterable, count):
    """A list of what as many variables are made of; of a negative number, of whatever there is."""
    out = []
    for x in iterable:
        if len(out) == count and not (IS_FROM_3_14 and hasattr(iterable, "keys")):
            raise ValueError(f"too many values to unpack (expected {count})")
        out.append(x)
    return out


@compiled
def call_choice(functions, index, args):
    """functions[index](*args), whatever each of the functions is."""
    if index < 0:
        index += len(functions)
    if index < 0 or index >= len(functions):
        raise IndexError("tuple index out of range")
    return call_from(functions, index, args)


@compiled
def call_from(functions, index, args):
    if len(functions) > 1:
        if index > 0:
            return call_from(functions[1:], index - 1, args)
    return functions[0](*args)


@compiled
def dict_of(names, values):
    made = {}
    for i in range(len(names)):
        made[names[i]] = values[i]
    return made
