"""What `name?`, `name??` and Shift-Tab show about an object."""
import inspect
import re
import sys
import types

import _gridcell_kernel as kernel

RED, OFF = "\033[31m", "\033[39m"
WIDTH = 75  # signatures that are wider get a line for each parameter
_MISSING = object()
_FAILURES = (Exception, KeyboardInterrupt)  # the second when the time is over


def find(name):
    """The object of an expression without calls; a property is itself. _MISSING: none."""
    try:
        return kernel.evaluate(name)
    except LookupError:
        return _MISSING


# ---- parts

def _default_text(value):
    try:
        return repr(value)
    except _FAILURES:
        return "..."


def _parameter_lines(signature):
    parts, seen_star, last_kind = [], False, None
    for parameter in signature.parameters.values():
        kind = parameter.kind
        if last_kind is parameter.POSITIONAL_ONLY and kind is not last_kind:
            parts.append("/")
        seen_star |= kind is parameter.VAR_POSITIONAL
        if kind is parameter.KEYWORD_ONLY and not seen_star:
            parts.append("*")
            seen_star = True
        parts.append(str(parameter))
        last_kind = kind
    if last_kind is inspect.Parameter.POSITIONAL_ONLY:
        parts.append("/")
    return parts


def documented_signature(value, name):
    """The signature in the first line of a docstring; None without one."""
    first = (_doc(value) or "").partition("\n")[0].strip()
    own_name = getattr(value, "__name__", "")
    if own_name and first.startswith(own_name + "(") and first.endswith(")"):
        return name + first[len(own_name):]
    return None


def signature_text(value, name):
    """`name(parameters) -> result`; None when it is not known."""
    try:
        signature = inspect.signature(value)
        if str(signature) in ("(*args, **kwargs)", "(*args, **kws)"):
            return documented_signature(value, name) or name + str(signature)
        text = name + str(signature)
        if len(text) <= WIDTH or not signature.parameters:
            return text
        returns = text.rpartition(") -> ")[2] if signature.return_annotation is not signature.empty else None
        lines = "".join(f"    {line},\n" for line in _parameter_lines(signature))
        return f"{name}(\n{lines})" + (f" -> {returns}" if returns else "")
    except (TypeError, ValueError, *_FAILURES):
        return documented_signature(value, name)


def source_text(value):
    """The source of a function or class, or of the class of an object; None without one."""
    value = _python_function(value)
    for candidate in (value, getattr(value, "fget", None), type(value)):
        try:
            return inspect.getsource(inspect.unwrap(candidate)).rstrip("\n")
        except (OSError, TypeError, ValueError, AttributeError):
            continue
    return _of_cell(value, 1)


def _file(value):
    value = _python_function(value)
    for candidate in (value, type(value)):
        try:
            return inspect.getfile(inspect.unwrap(candidate))
        except (OSError, TypeError, ValueError, AttributeError):
            continue
    return _of_cell(value, 0)


def _of_cell(value, part):
    """The file name (0) or the source (1) of a class of a cell, or of the class of an object."""
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__ != "__main__":
        return None
    from gridcell.ipython.cell_classes import find as find_class
    found = find_class(kind)
    return found and found[part].rstrip("\n")


def _doc(value):
    try:
        doc = inspect.getdoc(value)
        return doc if isinstance(doc, str) else None
    except _FAILURES:
        return None


# while a cell runs, methods of the user's that take long cannot be stopped: none is called
_careful = [False]


def _is_written_in_python(value, method):
    return isinstance(getattr(type(value), method, None), types.FunctionType)


def _text_of(value):
    if _careful[0] and (_is_written_in_python(value, "__str__") or _is_written_in_python(value, "__repr__")):
        return object.__repr__(value)
    try:
        text = str(value)
    except _FAILURES:
        return "<no text>"
    if len(text) <= 200:
        return text
    return ("\n" + " " * 11).join(line.strip() for line in f"{text[:97]} <...> {text[-97:]}".split("\n"))


def _length(value):
    if _careful[0] and _is_written_in_python(value, "__len__"):
        return None
    try:
        return str(len(value))
    except _FAILURES:
        return None


# ---- compiled functions

def _python_function(value):
    """The function in Python that a compiled one was made of; other objects as they are."""
    if isinstance(value, (type, types.ModuleType)):
        return value
    compiler = sys.modules.get("gridcell._gridcell")
    scalar = compiler.ufunc_scalar(value) if compiler and hasattr(type(value), "nout") else None
    kind = type(value).__module__.partition(".")[0]
    if scalar is not None or kind in ("numba", "gridcell"):
        return getattr(scalar if scalar is not None else value, "py_func", value)
    return value


def _compiled_forms(value):
    """The signatures that exist as machine code, one per line."""
    if _python_function(value) is value:
        return None
    signatures = getattr(value, "signatures", None) or getattr(value, "types", None)
    return "\n".join(signature if isinstance(signature, str) else
                     "(" + ", ".join(map(str, signature)) + ")" for signature in signatures or ())


def _resources(value):
    """Registers and memory of a kernel's compiled forms."""
    if not hasattr(value, "get_regs_per_thread"):
        return None
    lines = []
    for signature in getattr(value, "signatures", None) or ():
        try:
            shared, local = value.get_shared_mem_per_block(signature), value.get_local_mem_per_thread(signature)
            lines.append(f"{value.get_regs_per_thread(signature)} registers, {local} bytes of local "
                         f"memory a thread, {shared} bytes of shared memory a block")
        except Exception:
            return None
    return "\n".join(lines)


# ---- the page

def _is_routine(value):
    return inspect.isroutine(value) or _python_function(value) is not value


def _fields_of_routine(value, name, source):
    yield "Signature", signature_text(_python_function(value), name)
    yield ("Source", source) if source else ("Docstring", _doc(value) or "<no docstring>")
    yield "Compiled for", _compiled_forms(value)
    yield "Resources", _resources(value)
    yield "File", _file(value) if not inspect.isbuiltin(value) else None
    yield "Type", type(value).__name__


def _subclasses(value):
    names = [c.__name__ for c in type.__subclasses__(value)[:11]]
    return ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")


def _fields_of_class(value, name, source):
    doc, init_doc = _doc(value), _doc(value.__init__)
    yield "Init signature", signature_text(value, name)
    if source:
        yield "Source", source
    else:
        yield "Docstring", doc or "<no docstring>"
        yield "Init docstring", init_doc if init_doc not in (doc, _doc(object.__init__)) else None
    yield "File", _file(value)
    yield "Type", type(value).__name__
    yield "Subclasses", _subclasses(value)


def _own_call_doc(value):
    call = getattr(type(value), "__call__", None)
    return _doc(call) if isinstance(call, types.FunctionType) else None


def _own_init_doc(kind):
    return _doc(kind.__init__) if isinstance(kind.__init__, types.FunctionType) else None


def _fields_of_instance(value, name, source):
    kind = type(value)
    yield "Signature", signature_text(value, name) if callable(value) else None
    yield "Type", kind.__name__
    yield "String form", _text_of(value)
    yield "Length", _length(value)
    yield "File", _file(value)
    if source:
        yield "Source", source
        return
    doc = _doc(value)
    yield "Docstring", doc or "<no docstring>"
    if not isinstance(value, types.ModuleType):
        init_doc = _own_init_doc(kind)
        yield "Class docstring", _doc(kind) if "__doc__" in getattr(value, "__dict__", ()) else None
        yield "Init docstring", init_doc if init_doc != doc else None
        yield "Call docstring", _own_call_doc(value)


def _fields(value, name, level):
    source = source_text(value) if level > 0 else None
    if isinstance(value, type):
        return _fields_of_class(value, name, source)
    if _is_routine(value):
        return _fields_of_routine(value, name, source)
    return _fields_of_instance(value, name, source)


_CODE = ("Signature", "Init signature", "Call signature", "Source")


def _layout(fields):
    fields = [(title, text) for title, text in fields if text is not None and text != ""]
    width = max(len(title) for title, _ in fields) + 1
    lines = []
    for title, text in fields:
        if title in _CODE:
            text = kernel.highlight(text)
        pad = " " * (width - len(title) - 1)
        lines.append(f"{RED}{title}:{OFF}{pad}" + ("\n" if "\n" in text else " ") + text.rstrip("\n"))
    return "\n".join(lines)


def describe(value, name, level=0):
    """The page about an object."""
    doc = _documented_by_owner(name)
    return _layout((title, doc if doc and title == "Docstring" else text) for title, text in _fields(value, name, level))


def _documented_by_owner(name):
    """What `__custom_documentations__` of an object, a dict, says of its attribute, be it there or not."""
    owner, _, attribute = name.rpartition(".")
    value = find(owner) if owner else _MISSING
    docs = None if value is _MISSING else inspect.getattr_static(value, "__custom_documentations__", None)
    return docs.get(attribute) if isinstance(docs, dict) else None


def _describe_magic(name, level=0):
    bare = name.lstrip("%")
    for kind in ("cell", "line") if name.startswith("%%") else ("line", "cell"):
        function = kernel.state("user_magics")[kind].get(bare)
        if function:
            source = source_text(function) if level else None
            return _layout([("Source", source) if source else ("Docstring", _doc(function) or "<no docstring>"),
                            ("File", _file(function))])
    from gridcell.ipython.magic_help import text_of
    text = text_of(bare)
    return _layout([("Docstring", text), ("Type", "Magic function")]) if text else None


def describe_name(name, level=0):
    """The page about what a name stands for; None when there is no such thing."""
    name = (name or "").strip()
    if not name:
        return None
    if name.startswith("%"):
        return _describe_magic(name, level)
    value = find(name)
    if value is not _MISSING:
        return describe(value, name, level)
    doc = _documented_by_owner(name)
    return _layout([("Docstring", doc)]) if doc else _describe_magic(name, level)


def _as_wished(text):
    """The page without colours, where %colors says so."""
    return re.sub("\033\\[[0-9;]*m", "", text) if kernel.switch("colourless") else text


def page(name, level=0):
    """What the pager shows of `name?`; None where there is nothing."""
    text = describe_name(name, level)
    return text and _as_wished(text)


def bundle(name, level=0, can_be_stopped=True):
    """The page by MIME type; HTML too where get_ipython().enable_html_pager asks for it."""
    _careful[0] = not can_be_stopped
    try:
        text = describe_name(name, level)
    finally:
        _careful[0] = False
    if text is None:
        return None
    data = {"text/plain": _as_wished(text)}
    if getattr(kernel.get_ipython(), "enable_html_pager", False):
        data["text/html"] = _as_html(text)
    return data


INFO_FIELDS = ("type_name", "base_class", "string_form", "namespace", "length", "file", "definition", "docstring",
               "source", "init_definition", "class_docstring", "init_docstring", "call_def", "call_docstring",
               "subclasses", "ismagic", "isalias", "isclass", "found", "name")


def facts(name, level=0):
    """What get_ipython().object_inspect() returns: all fields, None where there is nothing to say."""
    from gridcell.ipython.aliases import Alias, command_of
    from gridcell.ipython.magic_help import text_of
    value = find(name)
    if value is not _MISSING:
        return {**facts_of(value, name, level), "namespace": _space_of(name, value)}
    bare = name.lstrip("%")
    magic = kernel.get_ipython().find_magic(bare, "cell" if name.startswith("%%") else "line")
    magic = magic or kernel.get_ipython().find_magic(bare, "cell")
    if magic is None:
        return {**dict.fromkeys(INFO_FIELDS), "name": name, "found": False, "ismagic": False, "isalias": False,
                "isclass": False}
    command = command_of(bare)
    if command is not None:
        magic = magic if isinstance(magic, Alias) else Alias(bare, command)
    doc = _doc(magic) or text_of(bare)
    return {**facts_of(magic, name, level), "ismagic": True, "isalias": command is not None,
            "namespace": "IPython internal", "type_name": "Magic function",
            "docstring": doc if command is None else f"Alias to {magic!r}\nDocstring:\n{doc}"}


def _space_of(name, value):
    """Where an object's name stands."""
    import builtins
    root = name.partition(".")[0].partition("[")[0]
    if root in kernel.state("user_ns"):
        return "Interactive"
    return "Python builtin" if hasattr(builtins, root) else None


def _facts_of_class(value, name):
    init, init_doc = signature_text(value, name), _doc(value.__init__)
    return {"isclass": True, "init_definition": init or signature_text(value.__init__, name),
            "init_docstring": None if init_doc == _doc(object.__init__) else init_doc,
            "subclasses": _subclasses(value)}


def _facts_of_instance(value, name):
    """Of what is neither class nor routine; documents of its class only where they are not its own."""
    doc, kind = _doc(value), type(value)
    facts = {"class_docstring": _doc(kind) if _doc(kind) != doc and kind.__module__ != "builtins" else None}
    init_doc = _own_init_doc(kind)
    facts["init_docstring"] = init_doc if init_doc != doc else None
    if callable(value):
        facts["definition"] = signature_text(value, name)
        facts["call_docstring"] = _own_call_doc(value)
    return facts


def facts_of(value, name, level=0):
    """The same of an object that is at hand."""
    source = source_text(value) if level else None
    doc = _doc(value) or "<no docstring>"
    facts = {**dict.fromkeys(INFO_FIELDS), "name": name, "found": True, "ismagic": False,
             "isalias": False, "type_name": type(value).__name__, "base_class": str(getattr(value, "__class__", None)),
             "string_form": str(value) if level and not _careful[0] else _text_of(value), "length": _length(value),
             "file": _file(value), "source": source, "docstring": None if source and doc in source else doc}
    if isinstance(value, type):
        return {**facts, **_facts_of_class(value, name)}
    if _is_routine(value):
        return {**facts, "definition": signature_text(_python_function(value), name)}
    return {**facts, **_facts_of_instance(value, name)}


def _as_html(text):
    import html
    page = html.escape(text)
    page = re.sub("\033\\[31m(.*?)\033\\[39m", r"<b>\1</b>", page)
    return "<pre>" + re.sub("\033\\[[0-9;]*m", "", page) + "</pre>"


def part(magic, name):
    """What %pdef, %pdoc, %psource and %pfile show: the first printed, the others in the pager."""
    name = name.strip()
    value = find(name)
    if value is _MISSING:
        print(f"Object `{name}` not found.")
    else:
        show_part(magic, value, name)


def show_part(magic, value, name):
    """That of an object that is at hand."""
    if magic == "pdef":
        signature = signature_text(_python_function(value), name)
        if signature:
            print(_as_wished(f" {kernel.highlight(signature)}\n "), end="")
        else:
            print(f"No definition header found for {name}")
        return
    text = {"pdoc": docstrings, "psource": _coloured_source, "pfile": text_of_file}[magic](value)
    if text is None:
        kind = {"pdoc": "documentation", "psource": "source", "pfile": "file"}[magic]
        print(f"No {kind} found for {name}")
    elif text:
        kernel.add_payload({"source": "page", "data": {"text/plain": _as_wished(text)}, "start": 0})


def docstrings(value):
    is_class = isinstance(value, type)
    fields = [("Class docstring", _doc(value)), ("Init docstring", _doc(value.__init__) if is_class else None),
              ("Call docstring", None if is_class or _is_routine(value) else _own_call_doc(value))]
    if not any(text for _, text in fields):
        return None
    return "\n".join(f"{RED}{title}:{OFF}\n" + "\n".join("    " + line for line in text.splitlines())
                     for title, text in fields if text)


def _coloured_source(value):
    source = source_text(value)
    return kernel.highlight(source) if source else None


def text_of_file(value):
    """The whole file, or cell; "" when it says that there is none to read."""
    import linecache
    path = _file(value)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return kernel.highlight(file.read())
    except OSError:
        text = "".join(linecache.getlines(path))
        if not text:
            print(f"File {path!r} does not exist, not printing.")
        return kernel.highlight(text)


# ---- wildcards

_KINDS = {"function": types.FunctionType, "builtin": types.BuiltinFunctionType,
          "module": types.ModuleType, "class": type, "method": types.MethodType}


def _is_of_kind(value, kind):
    if kind in _KINDS:
        return isinstance(value, _KINDS[kind])
    return type(value).__name__ == kind


def _names_in(owner, spaces):
    import builtins
    if owner:
        value = find(owner)
        return {} if value is _MISSING else {name: f"{owner}.{name}" for name in dir(value)}
    sources = {"builtin": vars(builtins), "user": kernel.state("user_ns")}
    return {name: name for space in spaces for name in sources.get(space, {})}


_SPACES = {"builtin": "builtin", "user": "user", "user_global": "user", "user_local": "user", "internal": "internal",
           "alias": "alias"}


def search(line):
    """Names that match a wildcard pattern, one per line: [-a|-c|-i|-l|-s space|-e space] pattern [type]."""
    import fnmatch
    spaces, shows_private, words = ["builtin", "user"], False, line.split()
    ignores_case = not kernel.get_ipython().wildcards_case_sensitive
    while words and words[0].startswith("-"):
        option = words.pop(0)
        shows_private |= option == "-a"
        ignores_case = {"-c": False, "-i": True}.get(option, ignores_case)
        if option == "-l":
            return "\n".join(sorted(_KINDS))
        if option in ("-s", "-e") and words:
            name = words.pop(0)
            space = _SPACES.get(name)
            if space is None:
                raise ValueError(f"invalid namespace <{name}>. Valid names: {', '.join(_SPACES)}")
            spaces = [s for s in spaces if option == "-s" or s != space] + [space] * (option == "-s")
    if not words:
        return ""
    pattern, kind = words[0], words[1] if len(words) > 1 else None
    owner, _, last = pattern.rpartition(".")
    hides = not shows_private and not last.startswith("_")
    fold = str.lower if ignores_case else str
    found = sorted(full for name, full in _names_in(owner, spaces).items()
                   if fnmatch.fnmatchcase(fold(name), fold(last))
                   and not (hides and name.startswith("_"))
                   and (kind is None or _is_of_kind(find(full), kind)))
    return "\n".join(found)
