# SPDX-License-Identifier: MIT
"""Seeding random or np.random in the host seeds the streams of compiled code, too.

Both stand at the start of the same stream then. `GRIDCELL_SEPARATE_SEEDS=1` leaves the host's
functions alone.
"""
import functools
import os
import sys

from gridcell import _gridcell

random_seed = None  # the modules' own functions, which programs may hold
numpy_seed = None
WORDS = 624


def _follow_random(module):
    state = module.getstate()[1]
    if state[WORDS] == WORDS:  # at the start of a block: just seeded
        import struct
        _gridcell.seed_random("py", struct.pack(f"{WORDS}I", *state[:WORDS]))


def _follow_numpy(module):
    state = module.get_state(legacy=False)
    if state["bit_generator"] == "MT19937" and state["state"]["pos"] == WORDS:
        _gridcell.seed_random("np", state["state"]["key"].astype("uint32").tobytes())


def _wrap(seed, module, follow):
    @functools.wraps(seed)
    def seeding(*args, **kwargs):
        result = seed(*args, **kwargs)
        follow(module)
        return result
    return seeding


def watch():
    """Watches the random modules that the program has imported."""
    global random_seed, numpy_seed
    if os.environ.get("GRIDCELL_SEPARATE_SEEDS", "0") not in ("", "0"):
        return
    module = sys.modules.get("random")
    if random_seed is None and module is not None and hasattr(module, "seed"):
        random_seed = module.seed
        module.seed = _wrap(random_seed, module, _follow_random)
    module = sys.modules.get("numpy.random")
    if numpy_seed is None and module is not None and hasattr(module, "get_state"):
        numpy_seed = module.seed
        module.seed = _wrap(numpy_seed, module, _follow_numpy)


def load():
    """For the library: NumPy's distributions, and seeds given before anything was compiled."""
    import random

    import numpy.random
    import numpy.random._generator
    was_watched = random_seed is not None, numpy_seed is not None
    watch()
    if not was_watched[0]:
        _follow_random(random)
    if not was_watched[1]:
        _follow_numpy(numpy.random)
    _gridcell.load_random(numpy.random._generator.__file__)
