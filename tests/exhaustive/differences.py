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
    area: str = ".*"

    def holds(self, case, kind, words):
        return all(re.fullmatch(pattern, text, re.S) for pattern, text in (
            (self.kinds, kind), (self.body, case.body), (self.operands, ", ".join(map(str, case.operands))),
            (self.words, words), (self.area, case.area)))


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
    Rule("zeros of either sign are equal: which one stands first, or is the smallest, is left open", "value",
         r".*(sort|partition|min|max|clip|unique|median|percentile|quantile|intersect1d|union1d|setxor1d|setdiff1d).*",
         words=r".*: \S*?\(?-?0\.?0?(\+0j|-0j)?j?\)? for \S*?\(?-?0\.?0?(\+0j|-0j)?j?\)?"),
    Rule("floats beyond the range of an integer type, and NaN, have no defined value there", "value",
         r".*(astype|np\.u?int\d+\(|copyto|=|int\(|putmask|place|full|dtype=).*", words=r".*np\.u?int\d+\(.* for np\.u?int\d+\(.*",
         operands=".*(float|complex).*"),
    Rule("NumPy computes functions of 8 bits in half precision, also where the result is put elsewhere", "value",
         r".*out=.*", operands=".*(bool|int8).*", words=".*np.(float|complex).*"),
    Rule("a complex power of what is not finite: C leaves the parts open, numba computes as CPython", "value",
         r".*(\*\*|power|pow).*", ".*complex.*", ".*(nan|inf).*"),
    Rule("a complex power of what is not finite: C leaves the parts open, numba computes as CPython", "value",
         r".*power.*dtype=np.complex128.*", words=".*(nan|inf).*"),
    Rule("round() to digits keeps what is too large to be scaled, as in Python; NumPy overflows", "value",
         r"round\(a, 1\)", words=r".* for np.float32\(.*inf\)"),
    Rule("an integer from a float is the machine's: NaN and infinity are not looked for, as in numba", "accepted",
         r"(round|int|np\.u?int\d+)\(a\)|math\.(floor|ceil|trunc)\(a\)", words=".*(NaN|infinity|Infinity).*"),
    Rule("a reduction along an axis of something without axes is refused, as in numba", "raised",
         operands="(python|scalar|0d):.*", words="AxisError.*"),
    Rule("what NumPy does not check itself, and fails at inside, is named here", "error",
         words="ValueError.* for IndexError\\('tuple index out of range'\\)".replace("\\\\", "\\")),
    Rule("a polynomial has one axis", "refused|accepted|raised|error|dtype|shape|value", r"np\.poly.*", ".*(2d|F|broadcast|hollow).*"),
    Rule("what @vectorize compiles computes integers in 64 bits, as operators on scalars do", "dtype",
         operands=r".*(int|bool).*", words=r"u?int64 for (u?int\d+|bool).*", area="vectorized"),
    Rule("0 has no reciprocal among the integers: 0, as in numba, or what the machine gives", "value", r"np\.reciprocal\(a\)",
         ".*int.*", r".*\b0\)? for np\.u?int.*"),
    Rule("complex division divides by the scale, where NumPy multiplies by its reciprocal, which may overflow", "value",
         r".*(/|divide|float_power).*", ".*complex.*", r".* for np\.complex\d+\(nan[+-]nanj\)"),
    Rule("methods of arrays that NumPy 2 no longer has, numba still has", "accepted", r"a\.(itemset|ptp).*",
         words=".*has no attribute.*"),
    Rule("a ufunc is reduced with the types that it has; NumPy wants its operands' type for the result", "accepted",
         r".*\.(reduce|accumulate|reduceat)\(.*", words=".*No loop matching.*"),
    Rule("NumPy's vector loop of arctan2 keeps the last pair of a reduction alone", "value", r"np\.arctan2\.(reduce|reduceat)\(.*"),
    Rule("without an axis the values to insert are taken in their order, whatever their shape, as in numba", "accepted",
         r"np\.insert\(a, (1|\[0, 2\]), (a|b)\)", words=".*could not broadcast input array.*|.*shape mismatch.*"),
    Rule("the number of axes does not follow from lengths", "raised", r".*squeeze\(.*", words=".*squeeze\\(\\) of an array with axes of length 1.*"),
    Rule("an integer of 8 or 16 bits is an int64, as a number alone, of which functions are float64, as in numba", "value",
         r"r = .*out=b.*", r"scalar:u?int(8|16), .*:(float|complex).*"),
    Rule("where there are no items, strides are those of items side by side", "value", r"a\.strides", "(empty|hollow):.*"),
    Rule("what NumPy wrote in Python of these is a ufunc in compiled code, which takes out", "accepted",
         r".*np\.(isreal|iscomplex|isposinf|isneginf|sinc|fix|nan_to_num|angle|real|imag)\(.*out=.*", words=".*unexpected keyword.*|.*takes .* positional.*"),
    Rule("spans of time are multiplied by integers and floats, not by truth values, as in numba", "refused", r"a \* b",
         ".*bool.*m8.*|.*m8.*bool.*", ".*No implementation.*mul.*"),
    Rule("moments and spans of time are not compared, as in numba", "refused", r"np\.(isin|searchsorted|concatenate)\(.*", ".*M8.*m8.*|.*m8.*M8.*"),
    Rule("math computes a float32 in its own precision, as in numba", "value", r"math\..*", ".*(scalar|0d):float32.*"),
    Rule("a Python integer is an int64, which with uint64 makes a float64: no operation in place, as in numba", "refused",
         r"a\[.*\] .=.*", ".*uint64.*", ".*No implementation.*(imul|iadd).*"),
    Rule("items of an array that are clipped keep their type, as in numba", "dtype", r"(np|a)\.clip\(.*", ".*bool.*", "bool for int64.*"),
    Rule("the order of equal items is left open", "value", r"np\.argsort\(a\)", area="times"),
    Rule("which of several NaN stands for all is left open", "value", r"np\.(unique|union1d|setxor1d|setdiff1d)\(.*", ".*complex.*",
         ".*nan.* for .*nan.*"),
    Rule("a sum of numbers is a number, an int64 where they are integers", "value", r"sum\(a\)", ".*int(8|16|32).*"),
    Rule("weights have one axis", "refused", r"np\.bincount\(a, b\)", ".*, (2d|F|broadcast|hollow):.*"),
    Rule("with a number to begin with, truth values are subtracted as integers", "accepted", r"np\.subtract\.reduce\(a, initial=2\)", ".*bool.*"),
    Rule("integers of any width and sign count and place", "accepted", r"np\.(repeat|take|delete|insert|put)\(.*", ".*uint64.*",
         ".*Cannot cast array data from dtype.*"),
    Rule("a sine of complex numbers enlarges the rounding of pi times x", "value", r"np\.sinc\(a\)", ".*complex64.*"),
    Rule("a mean is a quotient, not rounded to an integer", "dtype", r"(np\.mean\(a, |a\.mean\().*dtype=np.int64.*"),
    Rule("truth values and integers of NumPy are integers for math, too", "accepted", r"math\.(gcd|lcm|comb|perm|factorial|isqrt)\(.*",
         "(scalar|0d):.*|.*, (scalar|0d):.*", ".*numpy.bool.*cannot be interpreted as an integer.*"),
    Rule("math rounds a float32, as numba does; NumPy's lacks the method", "accepted", r"math\.(trunc|floor|ceil)\(a\)", "(scalar|0d):float32",
         ".*define __.*"),
    Rule("a complex number is not cast to a real one, nor a row with items to one item, as in numba", "refused", r"a\[0\] = b\[0\]; return a",
         r"(1d|empty|strided|reversed):\w+, (2d|F|broadcast|hollow):.*"),
    Rule("NumPy 2 squares wherever the last exponent of a reduction is 2", "value", r"np\.power\.(reduce|reduceat)\(.*"),
    Rule("a Python integer is an int64, which float64 holds together with uint64, as in numba", "dtype",
         operands=".*uint64.*", words="float64 for uint64.*"),
    Rule("dtype= names what the operands are converted to; NumPy looks for a loop with that result", "accepted",
         r".*dtype=.*", words=".*(No loop matching|did not contain a loop).*"),
    Rule("booleans have a sign, as other integers", "accepted", r".*np\.sign\(.*", ".*bool.*"),
    Rule("math.ldexp takes the integers of NumPy too", "accepted", r"math\.ldexp.*", words=".*Expected an int.*"),
    Rule("exponents may be uint64, as any integers", "accepted", r"np\.ldexp.*", ".*uint64.*"),
    Rule("a variance is a real number, and not rounded to an integer", "dtype", r".*(std|var)\(.*dtype=.*"),
    Rule("an array of one item for each axis that is kept, of a number too", "shape", r".*keepdims=True\)", "(python|scalar|0d).*"),
    Rule("integers are cast into arrays of other widths as assignments do, wrapping around", "accepted",
         r"np\.(place|putmask|copyto)\(.*", r"\w+:(bool|u?int\d+|float32|complex64), \w+:(bool|u?int\d+)", ".*Cannot cast array data.*"),
    Rule("an empty list written out is an array of floats, whose places are none", "accepted", r"np\.delete\(a, b\)",
         ".*, (empty|hollow):.*"),
    Rule("a place that no row has is refused, also where there are no rows", "raised", r".*partition\(.*", "(hollow|empty):.*"),
    Rule("NumPy fails where there are no items to take the mean or the quantile of", "accepted",
         r"np\.(nan)?(percentile|quantile|average)\(.*", "(hollow|empty):.*", ".*(IndexError|ZeroDivisionError).*"),
    Rule("a Python integer is an int64, in lists of choices too", "dtype", r"np\.(select|where|full|choose)\(.*",
         words=r"(int64|float64|complex128) for .*"),
    Rule("whole powers of complex numbers are products, nearer to the truth than NumPy's polar form", "value",
         r".*(\*\*|power).*", r".*complex.*, .*int.*"),
    Rule("a complex number is not cast to a real one, as in numba", "refused", r".*(full_like|fill_diagonal|copyto|=|place|put|insert).*",
         ".*complex.*", ".*setitem.*"),
    Rule("where nothing is assigned, nothing is wrong with it", "accepted", r"a\[a > 0\] = b; return a", words=".*0 or 1-dim.*"),
    Rule("a mask has the shape of what it selects from; NumPy lets those without items pass", "raised", r".*\[b\].*",
         ".*(empty|hollow):bool"),
    Rule("integers beyond 2**53 are not all told apart once they are floats", "shape|value",
         r"np\.(intersect1d|union1d|setdiff1d|setxor1d|isin|unique)\(.*", ".*int64.*"),
    Rule("an array that reshape() copied is read-only: what is written to it would be lost", "refused", r".*reshape.*",
         words=".*readonly.*"),
    Rule("what @vectorize compiles takes uint64 beside a truth for int64, as numba does", "value",
         operands=r".*uint64.*bool.*|.*bool.*uint64.*", area="vectorized"),
    Rule("integers are rounded to tens as integers; NumPy rounds them as floats", "value", r"round\(a, -?\d+\)", ".*u?int.*"),
    Rule("a variable has one type", "dtype|refused", r".* (and|or) .*|sum\(a\)"),
    Rule("functions that NumPy wrote in Python take where= too, as ufuncs do", "accepted", ".*where=.*", words=".*unexpected keyword.*"),
    Rule("ufuncs take out, dtype and where; their casting is 'same_kind'", "refused", ".*casting=.*",
         words=r".*unexpected keyword argument \W*casting.*"),
    Rule("the order of a reduction over several axes is that of the items", "accepted", words=".*not reorderable.*"),
    Rule("a number stands for an array of no dimensions", "shape", r"np\..*", "(python|scalar):[^,]*", "ndarray array.*"),
    Rule("an integral is divided by 2.0, a float64", "dtype", r"np\.trapezoid\(.*",
         words="(complex128 for complex64|float64 for float32).*"),
    Rule("a negative power of 0 is a division by zero, as of 0.0 ** -1", "error", r"math\.pow\(.*", words="ZeroDivisionError.*"),
    Rule("a polynomial has coefficients", "raised|dtype", r"np\.poly.*", ".*(empty|hollow).*"),
    Rule("integers have 64 bits: results of math that do not fit raise OverflowError", "raised", r"math\..*",
         words=".*(does not fit|too large).*"),
)


def reason(case, kind, words):
    """Why a difference is right, or None."""
    return next((rule.reason for rule in RULES if rule.holds(case, kind, words)), None)
