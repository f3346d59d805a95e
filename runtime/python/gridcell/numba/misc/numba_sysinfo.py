# SPDX-License-Identifier: MIT
"""numba.misc.numba_sysinfo: the description of the system that `numba -s` prints."""
from numba.__main__ import system_info as get_sysinfo

__all__ = ["display_sysinfo", "get_sysinfo"]


def display_sysinfo(info=None, sep_pos=45):
    """Prints the description."""
    print("System info:")
    print("-" * 80)
    for name, value in (info or get_sysinfo()).items():
        print(f"{name:<{sep_pos}}: {value}")
