"""Names from the time of two Pythons."""
import sys

PY3, PY2, PYPY = True, False, False
DEFAULT_ENCODING = sys.getfilesystemencoding()
string_types, unicode_type = (str,), str
builtin_mod_name = "builtins"
input, getcwd, which = input, __import__("os").getcwd, __import__("shutil").which


def decode(text, encoding=None):
    return text.decode(encoding or DEFAULT_ENCODING, "replace")


def encode(text, encoding=None):
    return text.encode(encoding or DEFAULT_ENCODING, "replace")


def cast_unicode(text, encoding=None):
    return decode(text, encoding) if isinstance(text, bytes) else text


def cast_bytes(text, encoding=None):
    return text if isinstance(text, bytes) else encode(text, encoding)


safe_unicode = str_to_unicode = unicode_to_str = cast_unicode_py2 = cast_unicode


def execfile(path, glob, loc=None, compiler=None):
    """Runs a file in a namespace."""
    with open(path, "rb") as file:
        exec((compiler or compile)(file.read(), path, "exec"), glob, loc if loc is not None else glob)
