# SPDX-License-Identifier: MIT
"""Numbers of items in an array as indices along its axes, and back."""
import numpy as np

from gridcell.library import ARRAY, LIST, NUMBER, TUPLE, UINT, compiled, form, kind, small
from gridcell.library.indexing import coordinates, rows_of, scalar
from gridcell.library.views import backwards, check_mode, flat, product


@small
def check_rows_or_columns(order):
    if order != "C" and order != "F" and order != "c" and order != "f":
        raise ValueError("only 'C' or 'F' order is permitted")


@compiled
def unravel_index(indices, shape, order="C"):
    check_rows_or_columns(order)
    if form(shape) == NUMBER:
        return unravel_index(indices, (shape,), order)
    elif order == "F" or order == "f":
        return backwards(unravel_index(indices, backwards(shape)))
    elif form(indices) == LIST or form(indices) == TUPLE:
        return unravel_index(np.array(indices), shape, order)
    elif np.ndim(indices) == 0:
        number = scalar(indices)
        check_numbers(np.full(1, number), shape)
        return coordinates_of(np.int64(number), shape)
    elif len(shape) == 0:
        raise ValueError("multiple indices are not supported for 0d arrays")
    else:
        check_numbers(indices, shape)
        return each_shaped(coordinates(flat(indices).astype(np.int64), shape), indices.shape)


@small
def each_shaped(rows, shape):
    if len(rows) == 0:
        return ()
    else:
        return (rows[0].reshape(shape),) + each_shaped(rows[1:], shape)


@small
def check_numbers(numbers, shape):
    if kind(numbers) > UINT:
        raise TypeError("only int indices permitted")
    size = product(numbers, shape)
    for x in flat(numbers):
        if x < 0 or x >= size:
            raise ValueError("index %s is out of bounds for array with size %s", x, size)


@small
def coordinates_of(number, shape):
    if len(shape) == 0:
        return ()
    elif len(shape) == 1:
        return (number,)
    else:
        return coordinates_of(number // shape[-1], shape[:-1]) + (number % shape[-1],)


@compiled
def ravel_multi_index(indices, dims, mode="raise", order="C"):
    check_mode(mode)
    check_rows_or_columns(order)
    if form(dims) == NUMBER:
        return ravel_multi_index(indices, (dims,), mode, order)
    elif form(indices) == ARRAY or form(indices) == LIST:
        if len(indices) != len(dims):
            raise ValueError("parameter multi_index must be a sequence of length %s", len(dims))
        return ravel_multi_index(rows_of(indices, dims), dims, mode, order)
    elif order == "F" or order == "f":
        return ravel_multi_index(backwards(indices), backwards(dims), mode)
    elif len(dims) == 1:
        return position(indices[0], dims[0], mode)
    else:
        return ravel_multi_index(indices[:-1], dims[:-1], mode) * dims[-1] + position(indices[-1], dims[-1], mode)


@small
def position(index, n, mode):
    if form(index) == TUPLE or form(index) == LIST:
        return position(np.array(index), n, mode)
    elif mode == "wrap":
        return np.remainder(np.int64(index), n)
    elif mode == "clip":
        return np.minimum(np.maximum(np.int64(index), 0), n - 1)
    else:
        numbers = flat(index) if form(index) == ARRAY else np.full(1, index)
        for x in numbers:
            if x < 0 or x >= n:
                raise ValueError("invalid entry in coordinates array")
        return np.int64(index)
