"""ast_node_interactivity = "last_expr_or_assign": the value of a last assignment is shown."""
import ast


def show_assignment(tree):
    """Appends the assigned name to the statements, as an expression."""
    last = tree.body[-1] if tree.body else None
    if isinstance(last, ast.Assign):
        target = last.targets[0]
    elif isinstance(last, (ast.AnnAssign, ast.AugAssign)):
        target = last.target
    else:
        return
    if isinstance(target, ast.Name):
        shown = ast.Expr(ast.Name(target.id, ast.Load()))
        tree.body.append(ast.fix_missing_locations(ast.copy_location(shown, last)))
