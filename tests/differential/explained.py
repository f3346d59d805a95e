"""Differences that are no defects, each with its reason: (pattern of the class, pattern of the program, reason)."""
import re

EXPLAINED = [
    (r"^StopIteration:  for RuntimeError$", r"\bnext\(g\d+\)", "a StopIteration leaves a generator as it is: CPython "
     "makes a RuntimeError of it, numba does not"),
    (r"have imprecise type: list\(undefined\)", r"\[.* for \w+ in .* if \(?\w+ ?.*\]", "what a comprehension puts into a list "
     "is ruled out by a variable that is known to be False, so that the list has no type, as in numba"),
    (r"No implementation of function .* signature", r"while \w+ < 1 and True:\n\s+\w+ \+= 1\n\s+if True:\n\s+raise ",
     "a function that always raises returns None as far as its type goes, which an operator does not take"),
    (r"^result ", r"(?s)-0\.0.*\bcumsum\(", "running sums begin at 0, as in numba: those of negative zeros are 0"),
]


def reason(name, code, text):
    for of_class, of_code, why in EXPLAINED:
        if re.search(of_class, name) and re.search(of_code, code):
            return why
    return None
