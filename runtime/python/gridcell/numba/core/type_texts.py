# SPDX-License-Identifier: MIT
"""What repr() says of types: how they are made, as numba has it. str() is the name that messages call them by."""
from gridcell import _gridcell as _extension


def _array(self):
    return f"Array({self.dtype!r}, {self.ndim}, {self.layout!r}, {not self.mutable}, aligned={self.aligned})"


def _tuple(self):
    if hasattr(self, "instance_class") and self.instance_class is not tuple:
        return str(self)
    if len(self) and isinstance(self, _extension.UniTuple):
        return f"UniTuple({self.dtype!r}, {self.count})"
    return f"Tuple({tuple(self.types)})"


def _record(self):
    parts = ", ".join(f"('{name}', {{'type': {field.type!r}, 'offset': {field.offset}, 'alignment': {field.alignment}, "
                      f"'title': {field.title}, }})" for name, field in self.fields.items())
    return f"Record([{parts}], {self.size}, {self.aligned})"


def _plain(self):
    text = str(self)
    head, _, count = text.strip("[]").partition(" x ")
    made = {"unichr": "UnicodeCharSeq", "char": "CharSeq"}.get(head)
    return f"{made}({count})" if made else text


_FORMS = {
    "Array": _array,
    "BaseTuple": _tuple,
    "Record": _record,
    "List": lambda self: f"List({self.dtype!r}, True)",  # every list and set is given back changed
    "Set": lambda self: f"Set({self.dtype!r}, True)",
    "ListType": lambda self: f"ListType({self.item_type!r})",
    "DictType": lambda self: f"DictType({self.key_type!r}, {self.value_type!r})",
}


def install():
    """Give the classes their forms, once."""
    own = _extension.Type.__repr__
    _extension.Type.__str__ = lambda self: own(self)
    _extension.Type.__repr__ = _plain
    for name, form in _FORMS.items():
        getattr(_extension, name).__repr__ = form
