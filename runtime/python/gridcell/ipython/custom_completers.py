"""Completers of the user's: set_custom_completer, set_hook("complete_command", ...), and functions in
Completer.custom_matchers. The kernel asks them once this module is loaded."""
import re
import types

from gridcell.ipython.completing import settings, typed_alone

DELIMITERS = " \t\n`!@#$^&*()=+[{]}\\|;:'\",<>?"
ORDER = 1  # after keys and parameters, before other names

matchers = []  # of get_ipython().Completer.custom_matchers


class StrDispatch:
    """Functions by a text, or by a pattern that a text must match."""

    def __init__(self):
        self.strs, self.regexs = {}, {}

    def add_s(self, text, function, priority=0):
        self.strs.setdefault(text, []).append((priority, function))
        self.strs[text].sort(key=lambda entry: entry[0])

    def add_re(self, pattern, function, priority=0):
        self.regexs.setdefault(re.compile(pattern), []).append((priority, function))

    def dispatch(self, key):
        for entries in [self.strs.get(key, [])] + [found for pattern, found in self.regexs.items()
                                                   if pattern.match(key)]:
            yield from entries

    def s_matches(self, key):
        for _, function in self.strs.get(key, []):
            yield function

    def flat_matches(self, key):
        for _, function in self.dispatch(key):
            yield function

    def __repr__(self):
        return f"<Strdispatch {self.strs}, {self.regexs}>"


commands = StrDispatch()  # of set_hook("complete_command", ...)


def add(shell, completer, position=0):
    """set_custom_completer: `completer(Completer, text)` returns texts in place of `text`."""
    matchers.insert(position, types.MethodType(completer, shell.Completer))


def add_command(hook, priority, text, pattern):
    """set_hook("complete_command", hook, ...): `hook(shell, event)` for lines that begin so."""
    if text is not None:
        commands.add_s(text, hook, priority)
    elif pattern is not None:
        commands.add_re(pattern, hook, priority)


def _token(line):
    start = len(line)
    while start > 0 and line[start - 1] not in DELIMITERS:
        start -= 1
    return line[start:]


def _command_matches(line, token):
    """What the first completer for the line's command says; None when there is none."""
    from IPython.core.error import TryNext
    if not line.strip():
        return None
    command = line.split(None, 1)[0]
    event = types.SimpleNamespace(line=line, symbol=token, command=command, text_until_cursor=line)
    also = [] if command.startswith("%") else commands.s_matches("%" + command)
    for completer in [*commands.s_matches(command), *also, *commands.flat_matches(line)]:
        try:
            found = completer(event)
        except TryNext:
            continue
        if found:
            exact = [each for each in found if each.startswith(token)]
            return exact or [each for each in found if each.lower().startswith(token.lower())]
    return None


class SimpleCompletion:
    """One match of a matcher of the second kind."""

    def __init__(self, text, *, type=None):
        self.text, self.type = text, type

    def __repr__(self):
        return f"<SimpleCompletion text={self.text!r} type={self.type!r}>"


class CompletionContext:
    """What matchers of the second kind are told."""

    def __init__(self, token, full_text, cursor_position, cursor_line, limit=None):
        self.token, self.full_text = token, full_text
        self.cursor_position, self.cursor_line, self.limit = cursor_position, cursor_line, limit

    @property
    def text_until_cursor(self):
        return self.line_with_cursor[:self.cursor_position]

    @property
    def line_with_cursor(self):
        return self.full_text.split("\n")[self.cursor_line]


class Answer:
    """What one matcher says: (text, type) of its matches, and whose matches it wants to hide."""

    def __init__(self, matcher, code, line, token):
        self.name = getattr(matcher, "matcher_identifier", getattr(matcher, "__qualname__", ""))
        self.hides, self.spares = False, set()
        if getattr(matcher, "matcher_api_version", 1) == 2:
            found = matcher(CompletionContext(token, code, len(line), code.count("\n")))
            self.matches = [(each.text, getattr(each, "type", None) or "") for each in found["completions"]]
            self.hides, self.spares = found.get("suppress", False), set(found.get("do_not_suppress", ()))
        else:
            kind = getattr(matcher, "completion_type", "")
            self.matches = [(text, kind) for text in matcher(token) or ()]

    def hidden(self, setting, names):
        """Which of the names it hides, as IPCompleter.suppress_competing_matchers allows."""
        own = setting.get(self.name) if isinstance(setting, dict) else setting
        if not self.matches or own is False or not (own or self.hides):
            return set()
        listed = self.hides if isinstance(self.hides, (set, frozenset, list, tuple)) else names
        return set(listed) - self.spares - {self.name}


BUILT_IN = "IPCompleter.python_matcher"  # what the kernel finds by itself


def _answers(code, line, token):
    """Those of the user's matchers that are not switched off, the most important first."""
    disabled, found = settings.disable_matchers, []
    for matcher in sorted(matchers, key=lambda each: -getattr(each, "matcher_priority", 0)):
        if getattr(matcher, "matcher_identifier", getattr(matcher, "__qualname__", "")) in disabled:
            continue
        try:
            found.append(Answer(matcher, code, line, token))
        except Exception as error:  # one that fails must not hide what others know
            import sys
            print(f"A completer failed: {type(error).__name__}: {error}", file=sys.__stderr__)
    return found


def _custom_matches(code, line, token):
    """(text, type) of the user's matchers, and whether the kernel's own matches stay."""
    answers = _answers(code, line, token)
    names, hidden = {answer.name for answer in answers} | {BUILT_IN}, set()
    for answer in answers:
        if answer.name not in hidden:
            hidden |= answer.hidden(settings.suppress_competing_matchers, names)
    shown = [match for answer in answers if answer.name not in hidden for match in answer.matches]
    return shown, BUILT_IN not in hidden


def _keep_from(start, own, data, matches):
    """The matches of a text that begins at `start` become those of one that begins at `own`, before it."""
    prefix = data[own:start].decode()
    known = {prefix + name: entry for name, entry in matches.items()}
    matches.clear()
    matches.update(known)


def extend(code, start, matches):
    """Adds to the matches of the text from the byte `start` on; the byte from which on they count now."""
    line = code.rpartition("\n")[2]
    token = typed_alone[0] if typed_alone[0] is not None else _token(line)
    own = len(code.encode()) - len(token.encode())
    chosen = _command_matches(line, token)
    if chosen is not None:
        matches.clear()
        matches.update((text, (ORDER + index / len(chosen), "", "")) for index, text in enumerate(chosen))
        return own
    found, keeps = _custom_matches(code, line, token)
    if not found:
        return start
    data = code.encode()
    if not keeps or b" " in data[own:start]:  # what was found is no match of a whole text
        matches.clear()
    if own < start:
        _keep_from(start, own, data, matches)
        start = own
    prefix = data[start:own].decode()
    for text, kind in found:
        matches.setdefault(prefix + text, (ORDER, kind, ""))
    return start
