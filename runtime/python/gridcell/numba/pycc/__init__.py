# SPDX-License-Identifier: MIT
"""numba.pycc: compilation ahead of time, which numba itself has given up."""


class CC:
    """Raises NotImplementedError: functions compile in milliseconds when they are called."""

    def __init__(self, *args, **kws):
        raise NotImplementedError(
            "numba.pycc makes extension modules ahead of time; gridcell does not. A function "
            "with signatures, such as @njit('f8(f8)'), compiles when it is defined, in "
            "milliseconds.")


def __getattr__(name):
    from gridcell import absent
    absent.refuse_name(__name__, name)
