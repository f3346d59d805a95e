"""What `name?`, `name??` and Shift-Tab show about an object."""
import inspect
import types

import _gridcell_kernel as kernel

RED, OFF = "\033[31m", "\033[39m"
_MISSING = object()


def _evaluate(name):
    space = kernel.state("user_ns")
    try:
        return eval(name, space)  # what the user typed before the question mark
    except Exception:
        return _MISSING


def _find(name):
    """The object of a dotted name, without calling anything on the way."""
    root, *rest = name.split(".")
    space = kernel.state("user_ns")
    if root in space:
        value = space[root]
    else:
        import builtins
        value = getattr(builtins, root, _MISSING)
    for attribute in rest:
        if value is _MISSING:
            break
        try:
            value = getattr(value, attribute)
        except Exception:
            value = _MISSING
    return value


def _signature(value, name):
    try:
        return name.rpartition(".")[2] + str(inspect.signature(value))
    except (TypeError, ValueError):
        return None


def _source(value):
    try:
        return inspect.getsource(value)
    except (OSError, TypeError):
        return None


def _file(value):
    try:
        return inspect.getfile(inspect.unwrap(value))
    except (OSError, TypeError):
        return None


def _doc(value):
    try:
        return inspect.getdoc(value)
    except Exception:
        return None


def _fields_of_callable(value, name, wants_source):
    is_class = isinstance(value, type)
    source = _source(value) if wants_source else None
    doc = _doc(value)
    yield "Init signature" if is_class else "Signature", _signature(value, name)
    if source:
        yield "Source", source
    else:
        yield "Docstring", doc or "<no docstring>"
        if is_class:
            init_doc = _doc(value.__init__)
            yield "Init docstring", init_doc if init_doc not in (doc, _doc(object.__init__)) else None
    yield "File", _file(value)
    yield "Type", type(value).__name__
    if is_class:
        yield "Subclasses", ", ".join(c.__name__ for c in type.__subclasses__(value)[:10])


def _fields_of_instance(value, wants_source):
    yield "Type", type(value).__name__
    text = str(value) if isinstance(value, str) else repr(value)
    yield "String form", text if len(text) <= 200 else f"{text[:97]} <...> {text[-97:]}"
    try:
        yield "Length", str(len(value))
    except Exception:
        pass
    source = _source(type(value)) if wants_source else None
    yield "File", _file(value if isinstance(value, types.ModuleType) else type(value))
    if source:
        yield "Source", source
    else:
        yield "Docstring", _doc(value) or "<no docstring>"


def _layout(fields):
    fields = [(title, text) for title, text in fields if text]
    width = max((len(title) + 1 for title, text in fields if "\n" not in text), default=0)
    width = max(width, len("Docstring:"))
    lines = []
    for title, text in fields:
        if "\n" in text:
            lines.append(f"{RED}{title}:{OFF}\n{text.rstrip()}")
        else:
            lines.append(f"{RED}{title}:{OFF}{' ' * (width - len(title))}{text}")
    return "\n".join(lines)


def _is_callable_thing(value):
    return isinstance(value, type) or inspect.isroutine(value) or (
        callable(value) and hasattr(value, "__wrapped__"))


def describe(value, name, level=0):
    """The page about an object."""
    if _is_callable_thing(value):
        fields = list(_fields_of_callable(value, name, level > 0))
    else:
        fields = list(_fields_of_instance(value, level > 0))
        signature = _signature(value, name) if callable(value) else None
        if signature:
            fields.insert(0, ("Signature", signature))
    return _layout(fields)


def _describe_magic(name):
    bare = name.lstrip("%")
    for kind in ("line", "cell"):
        function = kernel.state("user_magics")[kind].get(bare)
        if function:
            return _layout(_fields_of_callable(function, bare, False))
    summary = kernel.magic_summary(bare)
    return _layout([("Docstring", summary), ("Type", "Magic function")]) if summary else None


def describe_name(name, level=0):
    """The page about what a name stands for; None when there is no such thing."""
    name = (name or "").strip()
    if not name:
        return None
    if name.startswith("%"):
        return _describe_magic(name)
    value = _find(name)
    if value is _MISSING and not name.replace(".", "").isidentifier():
        value = _evaluate(name)
    if value is _MISSING:
        return _describe_magic(name)
    return describe(value, name, level)


def part(magic, name):
    """What %pdef, %pdoc, %psource and %pfile show: the first printed, the others in the pager."""
    name = name.strip()
    value = _find(name)
    if value is _MISSING:
        print(f"Object `{name}` not found.")
        return
    if magic == "pdef":
        signature = _signature(value, name)
        if signature:
            print(f" {signature}\n ", end="")
        else:
            print(f"No definition header found for {name}")
        return
    text = {"pdoc": _doc, "psource": _source, "pfile": _text_of_file}[magic](value)
    if text is None:
        kind = {"pdoc": "documentation", "psource": "source", "pfile": "file"}[magic]
        print(f"No {kind} found for {name}")
    elif text:
        kernel.add_payload({"source": "page", "data": {"text/plain": text}, "start": 0})


def _text_of_file(value):
    """The whole file; "" when it says that there is none to read."""
    path = _file(value)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        print(f"File {path!r} does not exist, not printing.")
        return ""


def search(pattern):
    """Names that match a wildcard pattern, one per line."""
    import builtins
    import fnmatch
    owner, _, last = pattern.strip().rpartition(".")
    if owner:
        value = _find(owner)
        names = [] if value is _MISSING else dir(value)
    else:
        names = [*kernel.state("user_ns"), *dir(builtins)]
    hides = not last.startswith("_")
    found = sorted({n for n in names if fnmatch.fnmatchcase(n, last)
                    and not (hides and n.startswith("_"))})
    return "\n".join(f"{owner}.{name}" if owner else name for name in found)
