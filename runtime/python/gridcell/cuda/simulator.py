# SPDX-License-Identifier: MIT
"""numba.cuda.simulator: here the emulated device, which has all that numba.cuda has.

NUMBA_ENABLE_CUDASIM=1 chooses it before the first use of a device.
"""
from gridcell.cuda import *
from gridcell.cuda import (DeviceNDArray, compile_ptx, current_context, declare_device, detect, device_array,
                           gpus, jit, reduce, select_device, to_device)
