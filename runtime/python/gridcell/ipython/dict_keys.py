"""The keys that may stand between brackets, as they are typed there."""
import re
import sys

PLAIN = (str, bytes, int, float, type(None))
BASES = {"0x": hex, "0o": oct, "0b": bin}


def _text(key, prefix, quote, is_bytes):
    """A key as it is typed: whole, or what comes after the quote that is there already. None: it does not fit."""
    if not quote:
        base = BASES.get(prefix[:2].lower()) if type(key) is int else None
        return base(key) if base else repr(key)
    if not isinstance(key, bytes if is_bytes else str):
        return None

    def escape(match):
        character = match[0][-1] if match[0] in ("\\'", '\\"') else match[0]
        return "\\" + quote if character == quote else character
    return re.sub(r"\\.|['\"]", escape, repr(key)[2 if is_bytes else 1:-1])


def _follows(key, typed):
    """The part of a key after those that are typed, and whether it is the last; None: it does not go on so."""
    if not isinstance(key, tuple):
        return None if typed else (key, True)
    if len(key) <= len(typed) or not all(isinstance(part, PLAIN) for part in key):
        return None
    if any(mine != yours for mine, yours in zip(key, typed)):
        return None
    return key[len(typed)], len(key) == len(typed) + 1


def _ending(is_last, is_alone, quote):
    """What IPCompleter.auto_close_dict_keys adds: a key may be complete, or one of several, or both."""
    return quote + ("]" if is_last else ", ") if is_alone else ""


def matching(keys, typed, prefix, quote="", is_bytes=False):
    """Those of the keys that go on from the ones typed before and from the prefix."""
    completing = sys.modules.get("gridcell.ipython.completing")
    closes = completing is not None and completing.settings.auto_close_dict_keys
    found = {}  # text: whether it ends its key, for each key that has it
    for key in keys:
        part = _follows(key, typed)
        if part is None or not isinstance(part[0], PLAIN):
            continue
        text = _text(part[0], prefix, quote, is_bytes)
        if text is not None and text.startswith(prefix):
            found.setdefault(text, set()).add(part[1])
    if not closes:
        return list(found)
    return [text + _ending(True in ends, len(ends) == 1, quote) for text, ends in found.items()]
