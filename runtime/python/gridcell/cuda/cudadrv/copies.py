# SPDX-License-Identifier: MIT
"""The copy module on device arrays."""
from gridcell import _gridcell


def _shallow(array):
    """Another array object over the same memory, as views are."""
    return array.view(array.dtype)


def _deep(array, memo):
    """Memory of its own, on the current device, in the order of the first."""
    order = "C" if array.is_c_contiguous() or not array.is_f_contiguous() else "F"
    made = _gridcell.cuda_device_array(array.shape, array.dtype, None, order, array.stream)
    made.copy_to_device(array, stream=array.stream)
    return made


def install(device_array):
    """Gives the class what copy.copy and copy.deepcopy ask for."""
    device_array.__copy__, device_array.__deepcopy__ = _shallow, _deep
