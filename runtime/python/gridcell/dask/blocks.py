# SPDX-License-Identifier: MIT
"""What Dask has to know of our objects: how arrays of devices travel, as results and as blocks of dask.array."""


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


def register():
    """Tells Dask; what is about devices only once it meets an object of ours."""
    from distributed.protocol import dask_deserialize, dask_serialize
    from numba.core import tokens
    tokens.tell_dask()
    tokens.check_variables()
    dask_serialize.register_lazy("numba")(_register_serialisers)
    dask_deserialize.register_lazy("numba")(_register_serialisers)
