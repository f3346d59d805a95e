# SPDX-License-Identifier: MIT
"""numba.core.serialize: libraries import it; what they would find is refused by name."""
from gridcell.absent import refuse_all

__getattr__ = refuse_all("numba.core.serialize", "is how numba pickles its functions; those of gridcell pickle by "
                         "themselves, by pickle and cloudpickle.")
