# SPDX-License-Identifier: MIT
"""Differences from NumPy that stay, each with its reason. What models.py says of numba's rules is not here."""
import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Rule:
    reason: str
    kinds: str              # of difference, as a pattern
    body: str = ".*"
    operands: str = ".*"    # pattern of their text
    words: str = ".*"

    def holds(self, case, kind, words):
        return all(re.fullmatch(pattern, text, re.S) for pattern, text in (
            (self.kinds, kind), (self.body, case.body), (self.operands, ", ".join(map(str, case.operands))),
            (self.words, words)))


SINGLE_BESIDE_INTEGER = (r".*:u?int\d+, .*:(float32|complex64).*|.*:(float32|complex64), .*:u?int\d+.*"
                         r"|.*(float32|complex64), literal:.*")
RULES = (
    Rule("uint64 and signed integers are bit patterns of 64 bits; NumPy takes Python's integers beside uint64, whose "
         "type is int64 in compiled code, and refuses those of NumPy", "accepted",
         r".*(<<|>>|&|\||\^|bitwise_|_shift).*", ".*uint64.*", ".*TypeError.*"),
    Rule("a Python integer is an int64, whose values wrap around; NumPy refuses one outside of the array's dtype",
         "accepted", words=r".*OverflowError\('Python integ.*"),
    Rule("negative powers of integers are 1, -1 and 0, as in numba; NumPy refuses them", "accepted",
         r".*(\*\*|power|pow).*", words=".*Integers to negative integer powers.*"),
    Rule("an array of integers holds integers of either sign, as its items do, since Python's are int64; NumPy takes "
         "only Python's that fit", "accepted", r".*(=|out=).*", words=".*Cannot cast ufunc.*dtype\\('u?int.*"),
    Rule("no half precision: what NumPy computes in float16 is computed in wider floats, as in numba", "dtype|value",
         words=".*for (float16|np.float16).*"),
    Rule("beside float32 or complex64 an integer of any width is taken into that precision, as numba's ufuncs do",
         "dtype", operands=SINGLE_BESIDE_INTEGER,
         words="(float32|complex64) for (float64|complex128).*"),
    Rule("functions of numbers take no arrays, not even those of no dimensions, as in numba", "refused",
         operands=".*0d:.*", words="TypingError.*0d, C.*"),
    Rule("complex numbers have no order, as in Python and numba", "refused", words="TypingError.*Complex numbers have.*"),
    Rule("a complex number is not cast to a real one, as in numba", "refused", words="TypingError.*astype.*complex.*"),
    Rule("outside of the domain math gives NaN or infinity, as in numba", "accepted", r"math\..*",
         words=".*(math domain|math range|OverflowError).*"),
    Rule("a variable has one type", "dtype|refused", ".* (and|or) .*"),
    Rule("integers have 64 bits: results of math that do not fit raise OverflowError", "raised", r"math\..*",
         words=".*(does not fit|too large).*"),
)


def reason(case, kind, words):
    """Why a difference is right, or None."""
    return next((rule.reason for rule in RULES if rule.holds(case, kind, words)), None)
