"""Code around the code of cells."""
import ast
import uuid

from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class ReplaceCodeTransformer(ast.NodeTransformer):
    """Puts a cell where a template says __code__; __ret__ is the value of its last expression. Other
    names of the template that begin and end with __ are renamed, apart from those of the mapping."""

    enabled = True
    debug = False

    def __init__(self, template, mapping=None, mangling_predicate=None):
        self.template, self.mapping = template, mapping
        suffix = uuid.uuid4().hex
        should_mangle = mangling_predicate or (lambda name: name.startswith("__") and name.endswith("__"))
        if mapping is None:
            names = {node.id for node in ast.walk(template) if isinstance(node, ast.Name)}
            self.mapping = {name: f"{name}-{suffix}" for name in names
                            if should_mangle(name) and name not in ("__code__", "__ret__")}

    @classmethod
    def from_string(cls, template, mapping=None, mangling_predicate=None):
        return cls(ast.parse(template), mapping, mangling_predicate)

    def visit_Module(self, cell):
        """The template with this cell in it."""
        if not self.enabled:
            return cell
        body = list(cell.body)
        value = f"__ret__-{uuid.uuid4().hex}"
        last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
        result = last.value if last else ast.Constant(None)
        body.append(ast.copy_location(ast.Assign([ast.Name(value, ast.Store())], result), last or cell))
        names = {**self.mapping, "__ret__": value}
        template = _Filler(body, names).visit(ast.parse(ast.unparse(self.template)))
        return ast.fix_missing_locations(template)


class _Filler(ast.NodeTransformer):
    """Renames the names of a template, and fills __code__ in."""

    def __init__(self, body, names):
        self.body, self.names = body, names

    def visit_Expr(self, node):
        if isinstance(node.value, ast.Name) and node.value.id == "__code__":
            return self.body
        return self.generic_visit(node)

    def visit_Name(self, node):
        node.id = self.names.get(node.id, node.id)
        return node
