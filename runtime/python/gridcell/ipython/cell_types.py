"""Completion in a cell that has not run: what its own text says of the names in it.

Statements are followed up to the cursor. A value is known as a list of what it may be: call_types' _Value and _Instance,
with the items that a container was written with, or a class or function of the cell. Nothing is run.
"""
import ast
import inspect
import sys
import types

import _gridcell_kernel as kernel
from gridcell.ipython import call_types
from gridcell.ipython.call_types import _Instance, _Value

CURSOR = "__cursor__"
DEEP = 12  # calls, and expressions in expressions, that are followed


class Found(Exception):
    """The statements came to the cursor; its only argument is what stands before the dot."""


class Container(_Instance):
    """An object that holds others: `items` of all that it may hold, `parts` by constant index or key."""

    def __init__(self, kind, items=(), parts=None):
        super().__init__(kind)
        self.items, self.parts = list(items), dict(parts or {})


class Function:
    """A function of the cell; `owner` is what it was taken from."""

    def __init__(self, node, scope, owner=None):
        self.node, self.scope, self.owner = node, scope, owner


class Class:
    """A class of the cell, and the scope of its body."""

    def __init__(self, node, scope, bases):
        self.node, self.scope, self.bases = node, scope, bases


class Object:
    """An object of such a class."""

    def __init__(self, made_of):
        self.made_of = made_of


class Scope:
    """Names and what they may be; one that is unknown has an empty list."""

    def __init__(self, above=None, names=()):
        self.above, self.names = above, dict(names)

    def find(self, name):
        """None for a name that the cell does not bind."""
        scope = self
        while scope:
            if name in scope.names:
                return scope.names[name]
            scope = scope.above
        return None

    def branch(self):
        return Scope(self.above, self.names)

    def merge(self, branches):
        """After branches of which any may have run, or none."""
        for branch in branches:
            for name, found in branch.names.items():
                known = self.names.get(name, [])
                self.names[name] = known + [each for each in found if each not in known]


def _object_of(kind):
    return Container(kind) if kind in (list, tuple, set, dict, frozenset) else _Instance(kind)


# ---- annotations

def annotated(node, scope):
    """What an annotation says."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return []
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return annotated(node.left, scope) + annotated(node.right, scope)
    if isinstance(node, ast.Subscript):
        return _generic(node, scope)
    found = []
    for each in infer(node, scope):
        if isinstance(each, Class):
            found.append(Object(each))
        elif isinstance(each, _Value) and isinstance(each.value, type) and each.value is not type(None):
            found.append(_object_of(each.value))
    return found


def _generic(node, scope):
    """list[str], dict[str, int], Optional[int] and their like."""
    words = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    name = ast.unparse(node.value).rpartition(".")[2]
    if name in ("Optional", "Union", "Annotated", "Final", "ClassVar"):
        return [each for word in words[:1 if name == "Annotated" else None] for each in annotated(word, scope)]
    inner = [annotated(word, scope) for word in words]
    found = annotated(node.value, scope) or annotated(ast.Name(name.lower(), ast.Load()), scope)
    for each in found:
        if isinstance(each, Container):
            each.items = inner[-1] if each.kind is dict else [value for part in inner for value in part]
            each.keys = inner[0] if each.kind is dict else []
    return found


# ---- expressions

def infer(node, scope, depth=0):
    """All that the value of an expression may be."""
    reader = _READERS.get(type(node))
    if reader is None or depth > DEEP:
        return []
    return reader(node, scope, depth + 1)


def _all(nodes, scope, depth):
    return [each for node in nodes for each in infer(node, scope, depth)]


def _constant(node, scope, depth):
    return [_object_of(type(node.value))]


def _name(node, scope, depth):
    found = scope.find(node.id)
    if found is not None:
        return found
    try:
        return [_Value(kernel.evaluate(node.id))]
    except LookupError:
        return []


def _sequence(kind):
    def read(node, scope, depth):
        parts = {i: infer(each, scope, depth) for i, each in enumerate(node.elts)}
        return [Container(kind, [value for part in parts.values() for value in part], parts)]
    return read


def _dict(node, scope, depth):
    parts = {key.value: infer(value, scope, depth) for key, value in zip(node.keys, node.values)
             if isinstance(key, ast.Constant)}
    made = Container(dict, _all(node.values, scope, depth), parts)
    made.keys = _all([key for key in node.keys if key], scope, depth)
    return [made]


def _comprehension(kind):
    def read(node, scope, depth):
        inner = Scope(scope)
        for each in node.generators:
            bind(each.target, items_of(infer(each.iter, inner, depth)), inner)
        made = Container(kind, infer(node.value if kind is dict else node.elt, inner, depth))
        made.keys = infer(node.key, inner, depth) if kind is dict else []
        return [made]
    return read


def _attribute(node, scope, depth):
    return [found for owner in infer(node.value, scope, depth) for found in attribute(owner, node.attr, depth)]


def _call(node, scope, depth):
    return [found for callee in infer(node.func, scope, depth) for found in result(callee, node, scope, depth)]


def _subscript(node, scope, depth):
    key = node.slice.value if isinstance(node.slice, ast.Constant) else None
    found = []
    for owner in infer(node.value, scope, depth):
        if isinstance(node.slice, ast.Slice):
            found.append(owner)
        elif isinstance(owner, Container):
            found += owner.parts[key] if key is not None and key in owner.parts else owner.items
        elif isinstance(owner, _Instance) and owner.kind is str:
            found.append(owner)
    return found


_PLAIN = {bool, int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None)}


def _kinds(found):
    return [getattr(each, "kind", type(getattr(each, "value", None))) for each in found]


def _binary(node, scope, depth):
    left, right = infer(node.left, scope, depth), infer(node.right, scope, depth)
    kinds = _kinds(left + right)
    if isinstance(node.op, ast.Div) and set(kinds) <= {int, bool, float}:
        return [_Instance(float)]
    numbers = [kind for kind in (complex, float, int) if kind in kinds]
    if numbers and set(kinds) <= {bool, int, float, complex}:
        return [_Instance(numbers[0])]
    others = [kind for kind in kinds if kind not in _PLAIN]  # arrays, frames: of numbers and these come these
    return [_Instance(others[0])] if others else left


def _compare(node, scope, depth):
    """Arrays and frames give something else than a bool."""
    if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
        return [_Instance(bool)]
    kinds = [kind for each in (node.left, *node.comparators) for kind in _kinds(infer(each, scope, depth)) or [object]]
    return [_Instance(bool)] if set(kinds) <= _PLAIN else []


def _await(node, scope, depth):
    return [each for owner in infer(node.value, scope, depth) if isinstance(owner, Container) for each in owner.items]


def _named(node, scope, depth):
    found = infer(node.value, scope, depth)
    bind(node.target, found, scope)
    return found


def _lambda(node, scope, depth):
    return [Function(node, scope)]


_READERS = {
    ast.Constant: _constant, ast.Name: _name, ast.List: _sequence(list), ast.Tuple: _sequence(tuple),
    ast.Set: _sequence(set), ast.Dict: _dict, ast.ListComp: _comprehension(list), ast.SetComp: _comprehension(set),
    ast.DictComp: _comprehension(dict), ast.GeneratorExp: _comprehension(types.GeneratorType), ast.Attribute: _attribute,
    ast.Call: _call, ast.Subscript: _subscript, ast.BinOp: _binary, ast.Await: _await, ast.NamedExpr: _named,
    ast.Lambda: _lambda, ast.Compare: _compare,
    ast.JoinedStr: lambda node, scope, depth: [_Instance(str)],
    ast.BoolOp: lambda node, scope, depth: _all(node.values, scope, depth),
    ast.IfExp: lambda node, scope, depth: _all([node.body, node.orelse], scope, depth),
    ast.UnaryOp: lambda node, scope, depth: ([_Instance(bool)] if isinstance(node.op, ast.Not)
                                             else infer(node.operand, scope, depth)),
}


# ---- attributes and calls

def attribute(owner, name, depth):
    """What an attribute may be."""
    if isinstance(owner, Object):
        return _of_object(owner, name, depth)
    if isinstance(owner, Class):
        found = owner.scope.names.get(name)
        return found if found is not None else [each for base in owner.bases for each in attribute(base, name, depth)]
    if isinstance(owner, Container) and owner.kind is dict and name in ("items", "keys", "values"):
        return [Function(ast.Name(name), None, owner)]
    if isinstance(owner, _Instance):
        found = call_types._attribute(owner, name)
        return [found] if found else []
    if isinstance(owner, _Value):
        found = inspect.getattr_static(owner.value, name, owner)
        return [] if found is owner else [_Value(found, owner.value if isinstance(owner.value, type) else None)]
    return []


def _of_object(owner, name, depth):
    made_of, found = owner.made_of, []
    for each in made_of.scope.names.get(name, []):
        if not isinstance(each, Function):
            found.append(each)
            continue
        bound = Function(each.node, each.scope, owner)
        marks = [ast.unparse(mark).rpartition(".")[2] for mark in getattr(each.node, "decorator_list", ())]
        found += result(bound, None, None, depth) if set(marks) & {"property", "cached_property"} else [bound]
    for method in _methods(made_of):
        found += _assigned(method, owner, name, depth)
    for base in made_of.bases:
        if isinstance(base, Class):
            found += _of_object(Object(base), name, depth)
        elif isinstance(base, _Value) and isinstance(base.value, type):
            found += attribute(_Instance(base.value), name, depth)
    return found


def _methods(made_of):
    return [node for node in made_of.node.body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            and node.args.args]


def _own_targets(method):
    """Assignments to attributes of what a method is called on: (name, statement)."""
    this = method.args.args[0].arg
    for node in ast.walk(method):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        for target in targets:
            if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == this:
                yield target.attr, node


def _assigned(method, owner, name, depth):
    if depth > DEEP:
        return []
    scope, found = _scope_of_call(Function(method, owner.made_of.scope.above, owner)), []
    for attr, node in _own_targets(method):
        if attr == name:
            found += _declared(node, scope) if isinstance(node, ast.AnnAssign) else infer(node.value, scope, depth + 1)
    return found


def result(callee, node, scope, depth):
    """What a call may give."""
    if isinstance(callee, Class):
        return [Object(callee)]
    if isinstance(callee, Function):
        return [] if depth > DEEP else _result_of_function(callee, depth)
    if not isinstance(callee, _Value):
        return []
    if callee.value in (list, tuple, set, sorted, reversed, iter, enumerate) and node and node.args:
        items = items_of(infer(node.args[0], scope, depth))
        if callee.value is enumerate:
            items = [Container(tuple, [_Instance(int), *items], {0: [_Instance(int)], 1: items})]
        return [Container(callee.value if isinstance(callee.value, type) else list, items)]
    if callee.value is zip and node:
        parts = {i: items_of(infer(each, scope, depth)) for i, each in enumerate(node.args)}
        return [Container(zip, [Container(tuple, _flat(parts.values()), parts)])]
    found = call_types._result(callee)
    return [_object_of(found.kind)] if found else []


def _flat(lists):
    return [each for found in lists for each in found]


def _result_of_function(callee, depth):
    node, owner = callee.node, callee.owner
    if isinstance(node, ast.Name):  # items, keys or values of a dict
        keys, values = getattr(owner, "keys", []), owner.items
        pair = Container(tuple, keys + values, {0: keys, 1: values})
        return [Container(type(getattr({}, node.id)()), {"items": [pair], "keys": keys, "values": values}[node.id])]
    if isinstance(node, ast.Lambda):
        return infer(node.body, callee.scope, depth + 1)
    if node.returns is not None:
        found = annotated(node.returns, callee.scope)
    else:
        found, inner = [], _scope_of_call(callee)
        run(node.body, inner, found, depth + 1)
    if isinstance(node, ast.AsyncFunctionDef):
        return [Container(types.CoroutineType, found)]
    return found


def _scope_of_call(callee):
    """The names in a function: its parameters, as far as it says what they are."""
    node, scope = callee.node, Scope(callee.scope)
    arguments = node.args.posonlyargs + node.args.args + node.args.kwonlyargs
    for each in arguments:
        scope.names[each.arg] = annotated(each.annotation, scope) if each.annotation else []
    for each, value in zip(reversed(node.args.posonlyargs + node.args.args), reversed(node.args.defaults)):
        scope.names[each.arg] = scope.names[each.arg] or infer(value, callee.scope)
    if callee.owner and node.args.args:
        scope.names[node.args.args[0].arg] = [callee.owner]
    return scope


def items_of(found):
    """What a loop over a value may give."""
    items = []
    for each in found:
        if isinstance(each, Container):
            items += getattr(each, "keys", []) if each.kind is dict else each.items
        elif isinstance(each, _Instance) and each.kind in (str, range):
            items.append(_Instance(str if each.kind is str else int))
    return items


# ---- statements

def bind(target, found, scope):
    if isinstance(target, ast.Name):
        scope.names[target.id] = found
    elif isinstance(target, (ast.Tuple, ast.List)):
        for i, each in enumerate(target.elts):
            bind(each, _flat(one.parts.get(i, one.items) for one in found if isinstance(one, Container)), scope)
    elif isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Constant):
        for owner in infer(target.value, scope):
            if isinstance(owner, Container):
                owner.parts[target.slice.value] = found
                owner.items = owner.items + found


def _declared(node, scope):
    """`name: annotation = value`: the annotation, with what the value holds where it is of that class."""
    found = annotated(node.annotation, scope)
    given = {each.kind: each for each in (infer(node.value, scope) if node.value else ()) if isinstance(each, Container)}
    return [given.get(getattr(each, "kind", None), each) for each in found]


def _import(node, scope):
    for alias in node.names:
        if isinstance(node, ast.Import):
            module = sys.modules.get(alias.name if alias.asname else alias.name.partition(".")[0])
            scope.names[alias.asname or alias.name.partition(".")[0]] = [_Value(module)] if module else []
        elif alias.name != "*":
            module = sys.modules.get(node.module or "")
            value = vars(module).get(alias.name, node) if module else node
            scope.names[alias.asname or alias.name] = [] if value is node else [_Value(value)]


def _define(node, scope, returned, depth):
    if isinstance(node, ast.ClassDef):
        inner = Scope(scope)
        scope.names[node.name] = [Class(node, inner, _all(node.bases, scope, depth))]
        run(node.body, inner, [], depth)
        return
    made = Function(node, scope)
    scope.names[node.name] = [made]
    if _has_cursor(node):
        owner = next((found[0] for found in _classes(scope) if node in found[0].node.body), None)
        run(node.body, _scope_of_call(Function(node, scope, Object(owner) if owner else None)), [], depth)


def _classes(scope):
    """The classes whose body the scope may be."""
    return [found for found in (scope.above.names.values() if scope.above else ()) if found and isinstance(found[0], Class)]


def _has_cursor(node):
    return any(isinstance(each, ast.Attribute) and each.attr == CURSOR for each in ast.walk(node))


def _look(expressions, scope):
    """Ends at the cursor, if it stands in one of them."""
    nodes = [node for expression in expressions for node in ast.walk(expression)]
    for node in nodes:
        if isinstance(node, ast.Attribute) and node.attr == CURSOR:
            for named in nodes:
                if isinstance(named, ast.NamedExpr):
                    infer(named, scope)
            raise Found(infer(node.value, scope))


_BLOCKS = ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.Match


def run(statements, scope, returned, depth=0):
    """Follows statements; what functions return is added to `returned`."""
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            _define(node, scope, returned, depth)
        elif isinstance(node, _BLOCKS):
            _run_block(node, scope, returned, depth)
        else:
            _run_simple(node, scope, returned, depth)


def _run_simple(node, scope, returned, depth):
    _look([node], scope)
    if isinstance(node, ast.Assign):
        found = infer(node.value, scope, depth)
        for target in node.targets:
            bind(target, found, scope)
    elif isinstance(node, ast.AnnAssign):
        bind(node.target, _declared(node, scope), scope)
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        _import(node, scope)
    elif isinstance(node, ast.Return) and node.value:
        returned += infer(node.value, scope, depth)
    elif isinstance(node, ast.Expr):
        infer(node.value, scope, depth)  # may bind by :=


def _run_block(node, scope, returned, depth):
    heads = [getattr(node, "test", None), getattr(node, "iter", None), getattr(node, "subject", None)]
    _look([head for head in heads if head], scope)
    inner = scope.branch()
    if isinstance(node, (ast.For, ast.AsyncFor)):
        bind(node.target, items_of(infer(node.iter, scope, depth)), inner)
    for item in getattr(node, "items", ()):
        _look([item.context_expr], scope)
        if item.optional_vars:
            bind(item.optional_vars, infer(item.context_expr, scope, depth), inner)
    bodies = [getattr(node, "body", []), getattr(node, "orelse", []), getattr(node, "finalbody", []),
              *(each.body for each in getattr(node, "handlers", ())), *(each.body for each in getattr(node, "cases", ()))]
    branches = [inner, *(scope.branch() for _ in bodies[1:])]
    for body, branch in zip(bodies, branches):
        run(body, branch, returned, depth)
    scope.merge(branches)


# ---- what is completed

def _parsed(before, owner):
    """The tree of a cell up to the cursor, which is an attribute there; statements that are not finished are left out."""
    lines, ending = before.split("\n"), f"({owner}).{CURSOR}"
    candidates = [before + ending, before + ending + ": pass"]
    for i in range(len(lines) - 1, max(len(lines) - 9, -1), -1):
        indent = lines[i][:len(lines[i]) - len(lines[i].lstrip())]
        candidates.append("\n".join([*lines[:i], indent + ending]))
    for text in candidates:
        try:
            return ast.parse(kernel.transform_cell(text) if "%" in text or "!" in text else text)
        except (SyntaxError, ValueError):
            continue
    return None


def _before_dot(before, owner):
    tree = _parsed(before, owner)
    if tree is None:
        return []
    try:
        run(tree.body, Scope(), [])
    except Found as found:
        return found.args[0]
    return []


def _names_of(found):
    """(name, kind, signature) of what one of the possible values has."""
    if isinstance(found, (Class, Object)):
        made_of = found if isinstance(found, Class) else found.made_of
        names = {name: "function" if any(isinstance(each, Function) for each in known) else "instance"
                 for name, known in made_of.scope.names.items()}
        if isinstance(found, Object):
            names.update((name, "instance") for method in _methods(made_of) for name, _ in _own_targets(method))
        inherited = [Object(base) if isinstance(base, Class) else _Instance(base.value) for base in made_of.bases
                     if isinstance(base, Class) or isinstance(getattr(base, "value", None), type)] or [_Instance(object)]
        return [*((name, kind, "") for name, kind in names.items()), *_flat(map(_names_of, inherited))]
    if isinstance(found, _Instance):
        return call_types.names_of(found.kind)
    if isinstance(found, _Value) and isinstance(found.value, types.ModuleType):
        return [(name, "function" if callable(value) else "instance", "") for name, value in vars(found.value).items()]
    if isinstance(found, _Value) and not isinstance(found.value, type):
        own = getattr(found.value, "__dict__", None)
        return [*call_types.names_of(type(found.value)), *((name, "instance", "") for name in own or () if type(own) is dict)]
    return []


def members(before, owner, live):
    """What may follow `owner.`, where only the text before it says what that is; empty where it doesn't.

    `live` is what the name stands for now, in a list: it knows more, if it is of the class that the text says. An object
    of a class of this cell has attributes of its own, but may lack what the text adds to the class.
    """
    try:
        found = _before_dot(before, owner)
    except RecursionError:
        return []
    if live and any(_is_known_better(each, live[0]) for each in found):
        return []
    own = [(name, "instance", "") for each in found if isinstance(each, Object) and live
           and type(live[0]).__name__ == each.made_of.node.name for name in getattr(live[0], "__dict__", ())]
    return list(dict.fromkeys(_flat(map(_names_of, found)) + own))


def _is_known_better(found, live):
    """Whether what lives is what the text says, or more than that."""
    return isinstance(found, _Value) or isinstance(found, _Instance) and issubclass(type(live), found.kind)
