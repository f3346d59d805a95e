"""ast_node_interactivity: which statements of a cell show their values."""
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


def shown_nodes(nodes, interactivity):
    """(statement, whether its value is shown), as ast_node_interactivity says."""
    if interactivity == "last_expr_or_assign" and nodes:
        tree = ast.Module(list(nodes), [])
        show_assignment(tree)
        nodes, interactivity = tree.body, "last_expr"
    for index, node in enumerate(nodes):
        is_last = index == len(nodes) - 1
        yield node, interactivity == "all" or is_last and (
            interactivity == "last" or interactivity == "last_expr" and isinstance(node, ast.Expr))
