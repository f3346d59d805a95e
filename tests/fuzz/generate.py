"""Random functions of the compiled language: typed as they grow, so that most of them compile."""

# The types that variables have here, with the arguments that a call passes for them.
ARGUMENTS = {
    "int": ("0", "1", "-1", "3", "-7", "12", "100", "-2147483649", "9007199254740993"),
    "float": ("0.0", "-0.0", "1.5", "-2.25", "1e300", "-1e-300", "float('inf')", "float('nan')"),
    "bool": ("True", "False"),
    "str": ("''", "'a'", "'hello world'", "'x,y,,z'", "'Ünï€'", "'12'", "' pad '"),
    "ints": ("[1]", "[3, 1, 2]", "[5, -5, 0, 7, 7]", "[-1, -2]"),
    "floats": ("[1.0]", "[0.5, -0.5, 2.0]", "[3.0, float('inf'), -1.0]"),
    "array": ("np.arange(5)", "np.array([4, -2, 9])", "np.zeros(1, np.int64)", "np.arange(10)[::2]"),
    "farray": ("np.linspace(0, 1, 4)", "np.array([2.5, -1.0])", "np.ones(3)[::-1]"),
    "dict": ("{1: 2}", "{0: 5, 3: -1, 7: 7}"),
    "names": ("{'a': 1}", "{'x': 1, 'yy': -2, '': 3}"),
    "pair": ("(1, 2.5)", "(-4, 0.0)"),
}

# Expressions by type: {type} stands for a smaller expression of that type.
EXPRESSIONS = {
    "int": (
        "({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} // {int})", "({int} % {int})",
        "(-{int})", "abs({int})", "({int} & {int})", "({int} | {int})", "({int} ^ {int})", "(~{int})",
        "({int} >> ({int} & 7))", "({int} << ({int} & 7))", "({int} ** 2)", "int({float})",
        "int({bool})", "({int} if {bool} else {int})", "min({int}, {int})", "max({int}, {int}, {int})",
        "len({str})", "len({ints})", "len({dict})", "sum({ints})", "{ints}[{int} % 3]", "{ints}[0]",
        "{array}[0]", "{array}[{int} % 5]", "{array}.sum()", "len({array})", "{dict}[{int} & 3]",
        "{dict}.get({int}, {int})", "{names}.get({str}, {int})", "{pair}[0]", "{str}.find({str})",
        "{str}.count({str})", "ord(({str} + 'q')[0])", "divmod({int}, {int})[1]", "({array} + {int}).max()",
        "(lambda p: p + {int})({int})", "sum([q * 2 for q in {ints}])", "round({float})",
        "max({ints})", "{ints}.index({ints}[0])", "({int}, {int}, {int})[{int} % 3]", "{array}.size",
        "bool({int}) + {int}", "sum([i0 * v0 for i0, v0 in enumerate({ints})])", "pow({int}, 3)",
        "sum([a0 * b0 for a0, b0 in zip({ints}, {ints})])", "int(str({int}))", "hash({int})",
    ),
    "float": (
        "({float} + {float})", "({float} - {int})", "({float} * {float})", "({float} / {float})",
        "({int} / {int})", "({float} // {float})", "({float} % {float})", "(-{float})", "abs({float})",
        "float({int})", "math.sqrt(abs({float}))", "math.floor({float}) * 0.5", "math.sin({float})",
        "({float} ** 2)", "({float} if {bool} else {float})", "min({float}, {float})",
        "{floats}[{int} & 1]", "sum({floats})", "{farray}[-1]", "{farray}.sum()", "{farray}.mean()",
        "{pair}[1]", "({int} * {float})", "np.abs({farray}).max()", "round({float}, 2)",
        "math.hypot({float}, {float})", "max({floats})", "float({bool})", "({farray} * {float})[0]",
        "math.atan2({float}, {float})", "{array}.mean()",
    ),
    "bool": (
        "({int} < {int})", "({int} == {int})", "({float} >= {float})", "(not {bool})",
        "({bool} and {bool})", "({bool} or {bool})", "({int} in {ints})", "({str} in {str})",
        "({str} == {str})", "({str} < {str})", "({int} in {dict})", "{str}.startswith({str})",
        "({int} < {int} <= {int})", "({ints} == {ints})", "({pair} == {pair})", "({int} != {float})",
        "{str}.isdigit()", "({bool} ^ {bool})", "any([q > 1 for q in {ints}])", "({pair} < {pair})",
        "({array} > {int}).any()", "({str} in {names})", "math.isnan({float})", "bool({ints})",
        "bool({str})", "{str}.isalpha()", "({int} is None)", "all([q != 0 for q in {ints}])",
    ),
    "str": (
        "({str} + {str})", "({str} * ({int} & 3))", "{str}[{int}:{int}]", "{str}[::-1]", "str({int})",
        "{str}.upper()", "{str}.strip()", "{str}.replace({str}, {str})", "({str} if {bool} else {str})",
        "f'{{{int}}}-{{{str}}}'", "{str}.join({str}.split(','))", "{str}.lower()", "({str} + 'ab')[{int} & 1]",
        "'-'.join([str(q) for q in {ints}])", "{str}.zfill({int} & 7)", "chr(97 + ({int} & 15))",
        "{str}.rjust({int} & 7)", "{str}.title()", "max({str}, {str})", "f'{{{int}:>4}}|{{{float}:.2f}}'",
        "{str}[::{int} | 1]",
    ),
    "ints": (
        "[{int}, {int}]", "[q + {int} for q in {ints}]", "{ints}[{int}:{int}]", "({ints} + {ints})",
        "[q for q in {ints} if q > {int}]", "sorted({ints})", "list(range({int} & 7))", "{ints}[::-1]",
        "[q * r for q in {ints} for r in range(2)]", "({ints} * ({int} & 3))", "{ints}[::{int} | 1]",
        "list({dict}.values())", "[{int} for _ in range({int} & 3)]", "{ints}.copy()",
        "[len(w) for w in {str}.split(',')]", "list({dict})", "[ord(c) for c in {str}]",
        "sorted({ints}, reverse={bool})",
    ),
    "floats": ("[{float}, {float}]", "[q / 2 for q in {ints}]", "{floats}[{int}:]",
               "({floats} + {floats})", "[math.sqrt(q * q) for q in {floats}]"),
    "array": ("({array} + {int})", "{array}[{int}:{int}]", "{array}[::-1]", "({array} * {array}[0])",
              "np.arange({int} & 7)", "np.array({ints})", "{array}.copy()", "-{array}",
              "np.where({array} > {int}, {int}, {array})", "np.sort({array})", "np.cumsum({array})",
              "{array}[::{int} | 1]", "np.full({int} & 3, {int})"),
    "farray": ("({farray} + {float})", "({farray} * {int})", "{farray}[{int}:]", "np.sqrt({farray} ** 2)",
               "np.zeros({int} & 7)", "({array} / 2)", "np.minimum({farray}, {float})",
               "({farray} + {farray}[0])", "{array}.astype(np.float64)"),
    "dict": ("{{{int}: {int}, {int}: {int}}}", "{{q: q * 2 for q in {ints}}}",
             "{{q: {int} for q in range({int} & 3)}}", "{dict}.copy()"),
    "names": ("{{{str}: {int}}}", "{{{str}: {int}, {str}: {int}}}", "{{c: 1 for c in {str}}}"),
    "pair": ("({int}, {float})", "({pair} if {bool} else {pair})"),
}
LEAVES = {
    "int": ("0", "1", "2", "-3", "10", "63", "1000003"), "float": ("0.5", "-1.25", "2.0", "0.0"),
    "bool": ("True", "False"), "str": ("'a'", "','", "'lo'", "''", "'Zé'"), "ints": ("[4, 2]", "[1, 2, 3]"),
    "floats": ("[1.5, 0.25]",), "array": ("np.arange(4)", "np.array([1, 2])"),
    "farray": ("np.ones(3)",), "dict": ("{1: 1, 2: 4}",), "names": ("{'a': 2, 'b': 0}",),
    "pair": ("(2, 0.5)",),
}
# Statements: {target:TYPE} is a variable of the type, {body} a block one deeper.
STATEMENTS = (
    "{ints!}.append({int})", "{ints!}[{int} % 2] = {int}", "{dict!}[{int}] = {int}", "{ints!}.sort()",
    "{names!}[{str}] = {int}", "{array!}[{int} & 1] = {int}", "{farray!}[{int}:] = {float}",
    "{int!} += {int}", "{float!} *= {float}", "{str!} += {str}", "{int!} //= {int}", "{array!} += {int}",
    "{ints!} += {ints}", "{ints!}.insert({int}, {int})", "{int!} = {ints!}.pop()",
    "{int!}, {float!} = {pair}", "{int!} -= 1", "del {ints!}[-1]", "{ints!}.reverse()",
    "{array!}[0] += {int}", "{ints!}.extend({ints})", "{int!} = {dict!}.pop({int}, {int})",
    "assert {bool} or {bool} or {bool}, 'said so'", "{ints!}[{int}:{int}] = {ints}", "{farray!}[:] = {float}",
    "{int!} = helper({int}, {float})", "{dict!}[{int} & 1] += 1",
)
BLOCKS = (
    "if {bool}:\n{body}", "if {bool}:\n{body}\nelse:\n{body}", "for {new} in range({int} & 7):\n{body}",
    "for {new} in {ints}:\n{body}", "for {new}, {new} in enumerate({ints}):\n{body}",
    "for {new} in {array}:\n{body}", "for {new}, {new} in {dict}.items():\n{body}",
    "for {new} in range({int} & 15):\n    if {bool}:\n        break\n{body}\nelse:\n{body}",
    "for {new} in range({int} & 15):\n    if {bool}:\n        continue\n{body}",
    "try:\n{body}\nexcept Exception:\n{body}", "try:\n{body}\nfinally:\n{body}",
    "try:\n{body}\nexcept (ValueError, IndexError):\n{body}\nelse:\n{body}",
    "if {bool}:\n    raise ValueError('on purpose')", "if {bool}:\n    return {result}",
    "while {int!} > 0:\n    {int!} -= 1\n{body}", "for {new}, {new} in zip({ints}, {ints}):\n{body}",
    "for {new} in range({int} & 3, -({int} & 3), -1):\n{body}",
    "match {int}:\n    case 0:\n{deep}\n    case 1 | 2:\n{deep}\n    case _:\n{deep}",
)


def indented(text, by=4):
    return "\n".join(" " * by + line for line in text.split("\n"))


class Program:
    """One function under construction: its random numbers and the variables in scope."""

    def __init__(self, random):
        self.random = random
        self.types = random.sample(sorted(ARGUMENTS), random.randint(3, 6))
        self.scope = {}
        self.pending = []
        self.serial = 0

    def variable(self, kind):
        if kind in self.scope:
            return self.random.choice(self.scope[kind])
        return self.new(kind)

    def new(self, kind):
        self.serial += 1
        name = f"v{self.serial}"
        self.scope.setdefault(kind, []).append(name)
        return name

    def expression(self, kind, depth):
        if depth <= 0 or self.random.random() < 0.25:
            if kind in self.scope and self.random.random() < 0.75:
                return self.random.choice(self.scope[kind])
            return self.random.choice(LEAVES[kind])
        return self.fill(self.random.choice(EXPRESSIONS[kind]), depth - 1)

    def fill(self, template, depth):
        """The template with its {type}s replaced; doubled braces stand for themselves."""
        parts, at = [], 0
        while at < len(template):
            if template.startswith(("{{", "}}"), at):
                parts.append(template[at])
                at += 2
            elif template[at] == "{":
                end = template.index("}", at)
                parts.append(self.hole(template[at + 1:end], depth))
                at = end + 1
            else:
                parts.append(template[at])
                at += 1
        return "".join(parts)

    def hole(self, word, depth):
        if word in ("body", "deep"):
            return indented(self.block(depth - 1), 4 if word == "body" else 8)
        if word == "new":
            self.serial += 1
            self.pending.append(f"v{self.serial}")
            return self.pending[-1]
        if word == "result":
            return self.expression(self.result, depth)
        if word.endswith("!"):
            return self.variable(word[:-1])
        return self.expression(word, depth)

    def statement(self, depth):
        chance = self.random.random()
        if chance < 0.35:
            kind = self.random.choice(self.types)
            value = self.expression(kind, 3)
            old = self.scope.get(kind)
            name = self.random.choice(old) if old and self.random.random() < 0.5 else self.new(kind)
            return f"{name} = {value}"
        if chance < 0.7 or depth <= 0:
            known = [s for s in STATEMENTS if all(word in self.scope for word in targets(s))]
            return self.fill(self.random.choice(known), 2) if known else "pass"
        template = self.random.choice(BLOCKS)
        if any(word not in self.scope for word in targets(template)):
            return "pass"
        return self.fill(template, depth)

    def block(self, depth):
        """Statements whose variables are forgotten after it: another path may not set them."""
        before = {kind: list(names) for kind, names in self.scope.items()}
        if self.pending:
            self.scope["int"] = self.scope.get("int", []) + self.pending
            self.pending = []
        lines = [self.statement(depth) for _ in range(self.random.randint(1, 3))]
        self.scope = before
        return "\n".join(lines)

    def function(self):
        """Source of `helper` and `f`, and the text of the arguments of some calls of f."""
        pick = self.random.choice
        self.result = pick(sorted(ARGUMENTS))
        parameters = [(self.new(kind), kind) for kind in self.types]
        lines = [self.statement(2) for _ in range(self.random.randint(2, 6))]
        if self.random.random() < 0.25:
            name = self.random.choice(self.scope.get("int", ["1"]))
            lines.append(f"def inner(p):\n    return p * 2 + {name}")
            lines.append(f"{self.new('int')} = inner({self.expression('int', 2)})")
        lines.append(f"return {self.expression(self.result, 3)}")
        header = ", ".join(name for name, _ in parameters)
        source = (f"def helper(n, y):\n    if n > 5:\n        return n - int(y > 0)\n    return n * 2\n\n"
                  f"def f({header}):\n{indented(chr(10).join(lines))}\n")
        calls = [f"({''.join(pick(ARGUMENTS[kind]) + ', ' for _, kind in parameters)})"
                 for _ in range(3)]
        return source, calls


def targets(template):
    return [part.split("}")[0][:-1] for part in template.split("{")[1:] if "!}" in part[:12]]


def program(random):
    """A (source, calls) that Python can parse."""
    while True:
        source, calls = Program(random).function()
        try:
            compile(source, "<generated>", "exec")
        except SyntaxError:
            continue
        return source, calls
