"""The choices that a program is made of: drawn at random, or played back from a list.

A program is a function of its list of choices, so that a shorter list, or one of smaller numbers, is a
smaller program: that is all the shrinker needs to know. The choice 0 is the simplest one everywhere, and a
list that has come to its end goes on with zeros.
"""
import contextlib
import random


class Choices:
    def __init__(self, seed=None, replayed=None):
        self.random = random.Random(seed) if replayed is None else None
        self.replayed = replayed
        self.taken = []
        self.spans = []  # (begin, end) of what was drawn for a statement, an expression, a function

    def draw(self, count):
        """A number below count."""
        if self.replayed is None:
            value = int(self.random.random() * count)
        elif len(self.taken) < len(self.replayed):
            value = self.replayed[len(self.taken)] % count
        else:
            value = 0
        self.taken.append(value)
        return value

    def one_of(self, items):
        return items[self.draw(len(items))]

    def chance(self, percent):
        """True in so many of a hundred cases; the simplest choice is False."""
        return self.draw(100) >= 100 - percent

    def weighted(self, pairs):
        """One of (weight, item), the first of which is the simplest."""
        total = sum(weight for weight, _ in pairs)
        left = self.draw(total)
        for weight, item in pairs:
            if left < weight:
                return item
            left -= weight
        raise AssertionError("weights")

    def several(self, most, percent=70):
        """Counts 0, 1, 2 ... as long as the choices say so; each turn and its choice are one span."""
        for number in range(most):
            with self.span():
                if not self.chance(percent):
                    return
                yield number

    @contextlib.contextmanager
    def span(self):
        begin = len(self.taken)
        try:
            yield
        finally:
            self.spans.append((begin, len(self.taken)))
