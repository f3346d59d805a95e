"""What %xmode Verbose adds to a frame: the values of its parameters and of the names in its line."""
import builtins
import inspect
import io
import keyword
import reprlib
import tokenize

_short = reprlib.Repr()
_short.maxlist, _short.maxtuple, _short.maxdict = 20, 10, 10
_short.maxstring = _short.maxother = 100


def _text(value):
    try:
        return " ".join(_short.repr(value).split())
    except Exception:
        return "<no text>"


def parameters(frame):
    """(a=1, *args=(), **kwargs={}) with the values that the names have by now."""
    info = inspect.getargvalues(frame)
    code = frame.f_code
    names = list(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])
    marked = [(name, name) for name in names]
    marked += [("*" + info.varargs, info.varargs)] if info.varargs else []
    marked += [("**" + info.keywords, info.keywords)] if info.keywords else []
    parts = [f"{label}={_text(info.locals[name])}" if name in info.locals else label
             for label, name in marked]
    return "(" + ", ".join(parts) + ")"


def _names(line):
    names, before = [], ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(line.strip()).readline):
            if token.type == tokenize.NAME and before != "." and not keyword.iskeyword(token.string):
                names.append(token.string)
            before = token.string
    except (tokenize.TokenError, SyntaxError):
        pass
    return dict.fromkeys(names)


def variables(frame, line):
    """One line for each variable that the source line names."""
    lines = []
    for name in _names(line):
        for space in (frame.f_locals, frame.f_globals):
            if name in space:
                lines.append(f"        {name} = {_text(space[name])}\n")
                break
        else:
            if not hasattr(builtins, name):
                lines.append(f"        {name} = undefined\n")
    return "".join(lines)
