# SPDX-License-Identifier: MIT
"""What Dask has to know of our objects: how arrays of devices travel, and how functions are told apart."""

# --- arrays of devices as results and as blocks of dask.array


def _serialize(array):
    from distributed.protocol import serialize
    header, frames = serialize(array.copy_to_host())
    return {"host": header}, frames


def _deserialize(header, frames):
    from distributed.protocol import deserialize
    from gridcell import cuda
    return cuda.to_device(deserialize(header["host"], frames))


def _register_serialisers():
    from distributed.protocol import dask_deserialize, dask_serialize
    from gridcell.cuda.cudadrv.devicearray import DeviceNDArray
    dask_serialize.register(DeviceNDArray)(_serialize)
    dask_deserialize.register(DeviceNDArray)(_deserialize)


# --- names of tasks


def _token_of(compiled):
    """The same for the same code, globals and options, in any process: Dask knows a task again by it."""
    from dask.tokenize import normalize_token
    from numba.core import pickling
    (code, _, _, module, name, _), refers = pickling._describe(compiled, compiled.py_func)
    options = repr(sorted(compiled.targetoptions.items()))
    return normalize_token((type(compiled).__name__, module, name, code, options, refers))


def register():
    """Tells Dask; what is about devices only once it meets an object of ours."""
    from dask.tokenize import normalize_token
    from distributed.protocol import dask_deserialize, dask_serialize
    from gridcell import _gridcell
    normalize_token.register((_gridcell.CPUDispatcher, _gridcell.Kernel), _token_of)
    dask_serialize.register_lazy("numba")(_register_serialisers)
    dask_deserialize.register_lazy("numba")(_register_serialisers)
