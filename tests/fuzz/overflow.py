"""Random functions of integers that grow: with overflow_check each result is exact, or OverflowError."""

ARGUMENTS = ("0", "1", "-1", "2", "-3", "7", "63", "2**31", "-2**31", "2**32 - 1", "2**62", "2**63 - 1", "-2**63",
             "3037000500", "-3037000499", "10**18")
CONSTANTS = ("1", "2", "-1", "3", "10", "2**31", "-2**62", "9223372036854775807", "1000003")
EXPRESSIONS = (
    "({e} + {e})", "({e} - {e})", "({e} * {e})", "({e} + {e})", "({e} - {e})", "({e} * {e})", "(-{e})", "abs({e})",
    "({e} // {e})", "({e} % {e})", "({e} << ({e} & 63))", "({e} >> ({e} & 63))", "({e} ** ({e} & 7))", "({e} ** 2)",
    "({e} & {e})", "({e} ^ {e})", "(~{e})", "min({e}, {e})", "max({e}, {e})", "({e} if {e} < {e} else {e})",
    "twice({e})", "l[{e} & 1]", "(lambda p: p * {e})({e})", "len(range({e} & 15))",
)
STATEMENTS = (
    "{v} = {e}", "{v} += {e}", "{v} -= {e}", "{v} *= {e}", "{v} <<= {e} & 31", "{v} //= {e}",
    "for {i} in range({e} & 15):\n    {v} = {v} * 3 + {i}", "for {i} in range({e} & 63):\n    {v} += {v} + {i}",
    "for {i} in range({e} & 31):\n    {v} *= {i} + 1", "for {i} in range({e} & 15, -9, -2):\n    {v} -= {e}",
    "while 0 < {v} < {e}:\n    {v} = {v} + {v}", "if {e} < {e}:\n    {v} = {e}\nelse:\n    {v} -= {e}",
    "try:\n    {v} += {e}\nexcept OverflowError:\n    {v} = 5", "l[{e} & 1] = {e}", "l.append({e})",
    "for {i} in l:\n    {v} += {i} * {e}", "for {i} in range(4):\n    if {v} > {e}:\n        continue\n    {v} += 1 << (15 * {i})",
)


def expression(random, depth):
    if depth <= 0 or random.random() < 0.2:
        return random.choice(("a", "b", "c", "u", "w", random.choice(CONSTANTS)))
    return filled(random.choice(EXPRESSIONS), random, depth - 1)


def filled(text, random, depth):
    variable, turn = random.choice("uw"), f"i{random.randrange(100)}"
    text = text.replace("{v}", variable).replace("{i}", turn)
    while "{e}" in text:
        text = text.replace("{e}", expression(random, depth), 1)
    return text


def program(random):
    """A (source, calls) as generate.program gives, that Python computes exactly."""
    lines = ["u = a", "w = 1", "l = [a, b]"]
    lines += [filled(random.choice(STATEMENTS), random, 2) for _ in range(random.randint(1, 5))]
    lines.append(f"return (u, w, l[0], l[-1], {expression(random, 3)})")
    body = "\n".join(lines).replace("\n", "\n    ")
    source = ("# exact: boundscheck=True, overflow_check=True\ndef helper(n, y):\n    return n\n\n"
              f"def twice(n):\n    return n * 2\n\ndef f(a, b, c):\n    {body}\n")
    calls = [f"({random.choice(ARGUMENTS)}, {random.choice(ARGUMENTS)}, {random.choice(ARGUMENTS)})" for _ in range(4)]
    return source, calls
