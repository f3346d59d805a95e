"""Breakpoints that ask for more than a line and a condition: how often they are come to, and texts instead of stops."""
import operator
import re

_HITS = re.compile(r"\s*(==|>=|<=|>|<|%|)\s*(\d+)\s*")
_COMPARED = {"": operator.eq, "==": operator.eq, ">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt,
             "%": lambda count, every: count % max(every, 1) == 0}
_known = {}  # by the text that the extension keeps in place of a condition, which no expression begins with


def condition_of(point):
    """What the extension is to ask about a breakpoint of the Debug Adapter Protocol; None: it always stops."""
    condition, hits, message = (point.get(name) or None for name in ("condition", "hitCondition", "logMessage"))
    if hits is None and message is None:
        return condition
    key = f"#{len(_known) + 1}"
    _known[key] = _Rule(condition, hits, message)
    return key


def holds(condition, call):
    """Whether a call's thread is to stop."""
    rule = _known.get(condition)
    return bool(rule.holds(call) if rule else call.evaluate(condition))


def described(condition):
    return repr(condition if condition not in _known else _known[condition].described())


class _Rule:
    def __init__(self, condition, hits, message):
        self.condition, self.hits, self.message, self.count = condition, hits, message, 0

    def described(self):
        return ", ".join(filter(None, (self.condition, self.hits, self.message)))

    def holds(self, call):
        if self.condition and not call.evaluate(self.condition):
            return False
        self.count += 1
        if self.hits and not self._is_counted():
            return False
        if self.message:
            print(re.sub(r"\{([^{}]+)\}", lambda found: str(call.evaluate(found[1])), self.message))
        return not self.message

    def _is_counted(self):
        found = _HITS.fullmatch(self.hits)
        if found is None:
            raise ValueError(f"a hit condition is a number, or one behind ==, >, >=, <, <= or %; not {self.hits!r}")
        return _COMPARED[found[1]](self.count, int(found[2]))
