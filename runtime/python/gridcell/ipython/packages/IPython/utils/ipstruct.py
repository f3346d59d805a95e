"""A dict whose items are attributes too."""


class Struct(dict):
    """Attributes are items; new ones can be refused with allow_new_attr(False)."""

    _allownew = True

    def __init__(self, *args, **kwargs):
        object.__setattr__(self, "_allownew", True)
        super().__init__(*args, **kwargs)

    def __setitem__(self, key, value):
        if not self._allownew and key not in self:
            raise KeyError(f"can't create new attribute {key} when allow_new_attr(False)")
        super().__setitem__(key, value)

    def __setattr__(self, key, value):
        if isinstance(key, str) and (key in self.__dict__ or hasattr(Struct, key)):
            raise AttributeError(f"attr {key} is a protected member of class Struct.")
        try:
            self[key] = value
        except KeyError as error:
            raise AttributeError(error) from None

    def __getattr__(self, key):
        try:
            return self[key]
        except KeyError as error:
            raise AttributeError(key) from error

    def __iadd__(self, other):
        self.merge(other)
        return self

    def __add__(self, other):
        result = self.copy()
        result.merge(other)
        return result

    def __sub__(self, other):
        result = self.copy()
        result -= other
        return result

    def __isub__(self, other):
        for key in other:
            self.pop(key, None)
        return self

    def dict(self):
        return self

    def copy(self):
        return Struct(dict.copy(self))

    def hasattr(self, key):
        return key in self

    def allow_new_attr(self, allow=True):
        object.__setattr__(self, "_allownew", allow)

    def merge(self, __loc_data__=None, __conflict_solve=None, **kw):
        """Takes items over. Of those that exist, the old value stays, unless a function of old and new
        is given: one for all, or by name in a dict ("update" or "preserve" are names of such)."""
        data = {**(__loc_data__ or {}), **kw}
        known = {"preserve": lambda old, new: old, "update": lambda old, new: new,
                 "add": lambda old, new: old + new, "add_flip": lambda old, new: new + old,
                 "add_s": lambda old, new: f"{old} {new}"}
        solvers = {}
        if isinstance(__conflict_solve, dict):
            for how, names in __conflict_solve.items():
                names = names.split() if isinstance(names, str) else names
                solvers.update(dict.fromkeys(names, known.get(how, how)))
        elif __conflict_solve is not None:
            solvers = dict.fromkeys(data, known.get(__conflict_solve, __conflict_solve))
        for key, value in data.items():
            self[key] = solvers.get(key, known["preserve"])(self[key], value) if key in self else value
