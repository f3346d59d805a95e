# SPDX-License-Identifier: MIT
"""numba.core.serialize: libraries import it. What else they would find is refused by name: functions of gridcell
pickle by themselves."""
from gridcell.absent import refuse_all

__getattr__ = refuse_all("numba.core.serialize", "is how numba pickles its functions; those of gridcell pickle by "
                         "themselves, by pickle and cloudpickle.")


def _rebuild(cls, states):
    return cls._rebuild(**states)


class ReduceMixin:
    """Base of classes whose objects are pickled as a dict of states, from which the class makes them again."""

    def _reduce_states(self):
        raise NotImplementedError(f"{type(self).__name__}._reduce_states() says what is pickled")

    @classmethod
    def _rebuild(cls, **states):
        raise NotImplementedError(f"{cls.__name__}._rebuild(**states) makes an object of what was pickled")

    def _reduce_class(self):
        return type(self)

    def __reduce__(self):
        return _rebuild, (self._reduce_class(), self._reduce_states())
