# SPDX-License-Identifier: MIT
"""Which way the contents of a host array go in a launch."""
from gridcell._gridcell import HostArgument


class In(HostArgument):
    """To the device only."""
    direction = "in"

    def __new__(cls, value):
        return HostArgument.__new__(cls, value, cls.direction)


class Out(In):
    """From the device only."""
    direction = "out"


class InOut(In):
    """To the device and back, as for a plain host array."""
    direction = "inout"
