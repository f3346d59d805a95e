"""Small changes to a function's syntax tree, and its reduction to what still shows a failure."""
import ast
import copy

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Div, ast.Mod, ast.BitAnd, ast.LShift,
              ast.RShift, ast.BitXor, ast.Pow)
COMPARISONS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq, ast.In, ast.Is)
CONSTANTS = (0, 1, -1, 7, 64, 2**31, 2**62, -2**63, 0.0, -0.5, 1e308, True, None, "", "a", "é", b"x")


def nodes(tree, *kinds):
    return [node for node in ast.walk(tree) if isinstance(node, kinds)]


def blocks(tree):
    """Every list of statements in the tree."""
    found = []
    for node in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            value = getattr(node, field, None)
            if isinstance(value, list) and value and not isinstance(node, ast.Module):
                found.append(value)
    return found


def change_operator(tree, random):
    node = random.choice(nodes(tree, ast.BinOp, ast.AugAssign))
    node.op = random.choice(ARITHMETIC)()


def change_comparison(tree, random):
    random.choice(nodes(tree, ast.Compare)).ops[0] = random.choice(COMPARISONS)()


def change_constant(tree, random):
    random.choice(nodes(tree, ast.Constant)).value = random.choice(CONSTANTS)


def change_name(tree, random):
    names = [node for node in nodes(tree, ast.Name) if node.id not in ("np", "math")]
    random.choice(names).id = random.choice(names).id


def drop_statement(tree, random):
    block = random.choice(blocks(tree))
    del block[random.randrange(len(block))]
    if not block:
        block.append(ast.Pass())


def repeat_statement(tree, random):
    source, target = random.choice(blocks(tree)), random.choice(blocks(tree))
    target.insert(random.randint(0, len(target)), copy.deepcopy(random.choice(source)))


def swap_statements(tree, random):
    block = random.choice(blocks(tree))
    one, two = random.randrange(len(block)), random.randrange(len(block))
    block[one], block[two] = block[two], block[one]


def graft_expression(tree, random):
    """Puts a copy of one expression where another was."""
    expressions = nodes(tree, ast.expr)
    parent = random.choice([node for node in nodes(tree, ast.BinOp, ast.Call, ast.Compare, ast.Assign,
                                                   ast.Return, ast.Subscript, ast.IfExp)])
    value = copy.deepcopy(random.choice(expressions))
    if isinstance(parent, ast.BinOp):
        parent.right = value
    elif isinstance(parent, ast.Call) and parent.args:
        parent.args[random.randrange(len(parent.args))] = value
    elif isinstance(parent, ast.Compare):
        parent.comparators[0] = value
    elif isinstance(parent, (ast.Assign, ast.Return)):
        parent.value = value
    elif isinstance(parent, ast.Subscript):
        parent.slice = value
    elif isinstance(parent, ast.IfExp):
        parent.body = value


MUTATIONS = (change_operator, change_comparison, change_constant, change_name, drop_statement,
             repeat_statement, swap_statements, graft_expression)


def mutated(source, random):
    """The source after one to three changes; the source itself when none gives valid Python."""
    for _ in range(8):
        tree = ast.parse(source)
        try:
            for _ in range(random.randint(1, 3)):
                random.choice(MUTATIONS)(tree.body[-1], random)
            text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
            compile(text, "<mutated>", "exec")
            return text
        except (SyntaxError, ValueError, IndexError, RecursionError, TypeError):
            continue
    return source


def reductions(source):
    """Variants of the source with a smaller last function, the largest steps first."""
    for index, block in enumerate(blocks(ast.parse(source).body[-1])):
        for at in reversed(range(len(block))):
            for unwrap in (False, True):
                tree = ast.parse(source)
                statements = blocks(tree.body[-1])[index]
                inner = getattr(statements[at], "body", None) if unwrap else []
                if isinstance(inner, list):
                    statements[at:at + 1] = inner or ([] if len(statements) > 1 else [ast.Pass()])
                    yield from valid(tree)
    yield from smaller_expressions(source)


def smaller_expressions(source):
    """Variants with one expression replaced by a part of it."""
    count = len(places(ast.parse(source).body[-1]))
    for index in range(count):
        owner, field, at = places(ast.parse(source).body[-1])[index]
        value = getattr(owner, field) if at is None else getattr(owner, field)[at]
        parts = [node for node in ast.iter_child_nodes(value) if isinstance(node, ast.expr)]
        for number in range(len(parts)):
            tree = ast.parse(source)
            owner, field, at = places(tree.body[-1])[index]
            value = getattr(owner, field) if at is None else getattr(owner, field)[at]
            part = [n for n in ast.iter_child_nodes(value) if isinstance(n, ast.expr)][number]
            if at is None:
                setattr(owner, field, part)
            else:
                getattr(owner, field)[at] = part
            yield from valid(tree)


def places(tree):
    """Where expressions are held: (node, field, index in a list or None)."""
    found = []
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, ast.expr) and field not in ("target", "func"):
                found.append((node, field, None))
            elif isinstance(value, list) and field not in ("targets", "decorator_list"):
                found += [(node, field, at) for at, item in enumerate(value) if isinstance(item, ast.expr)]
    return found


def valid(tree):
    try:
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        compile(text, "<reduced>", "exec")
    except (SyntaxError, ValueError, TypeError, AttributeError):
        return
    yield text
