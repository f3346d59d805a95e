"""What users and extensions hang on get_ipython(): transformers of cells, handlers of exceptions."""
import sys

import _gridcell_kernel as kernel


def transform_text(text, transformers):
    """A cell's text after functions of lines to lines."""
    if not text.endswith("\n"):
        text += "\n"
    lines = text.splitlines(keepends=True)
    for transformer in list(transformers):
        lines = transformer(lines)
    return "".join(lines)


def transform_lines(text, transformers):
    """As transform_text, for what IPython does after it knows cell magics: these are left alone."""
    if not transformers or text.lstrip().startswith("%%"):
        return text
    return transform_text(text, transformers)


def transform_tree(tree, transformers):
    """A cell's syntax tree after the transformers; one that fails is taken off the list."""
    import ast
    from IPython.core.error import InputRejected
    for transformer in list(transformers):
        try:
            tree = transformer.visit(tree)
        except InputRejected:
            raise
        except Exception as error:
            import warnings
            warnings.warn(f"AST transformer {transformer} threw an error. It will be unregistered. {error}",
                          stacklevel=2)
            transformers.remove(transformer)
    if transformers:
        ast.fix_missing_locations(tree)
    return tree


def publish_display(kind, data, metadata, transient):
    """Sends a display that functions of display_pub.register_hook see first, and may keep."""
    message = {"header": {"msg_type": kind}, "msg_type": kind, "parent_header": kernel.get_parent(),
               "metadata": {}, "content": {"data": data, "metadata": metadata or {},
                                           "transient": transient or {}}}
    for hook in list(kernel.state("display_hooks")):
        message = hook(message)
        if message is None:
            return
    kernel.publish(kind, message["content"])


def has_handler(shell, error):
    """Whether somebody wants to show this exception in place of the notebook."""
    own = vars(shell)
    return isinstance(error, shell.custom_exceptions) or "showtraceback" in own or "_showtraceback" in own


def show_failure(shell, error):
    """An exception ended a cell: true when a handler of the user's showed it."""
    if not has_handler(shell, error):
        return False
    traceback = error.__traceback__
    try:
        raise error
    except BaseException:
        error.__traceback__ = traceback  # without this function
        if isinstance(error, shell.custom_exceptions):
            shell.CustomTB(type(error), error, traceback)
        elif isinstance(error, SyntaxError) and traceback is None:
            shell.showsyntaxerror()
        else:
            shell.showtraceback()
    return True


def structured(handler):
    """A handler of set_custom_exc whose result is a list of lines, whatever it returns."""
    def call(self, etype, value, tb, tb_offset=None):
        try:
            lines = handler(self, etype, value, tb, tb_offset=tb_offset)
        except BaseException as error:
            self.set_custom_exc((), None)
            print("Custom TB Handler failed, unregistering", file=sys.stderr)
            kernel.show_traceback(error)
            kernel.show_traceback(value)
            return []
        if lines is None:
            return []
        return [lines] if isinstance(lines, str) else list(lines)
    return call


def unhandled(self, etype, value, tb, tb_offset=None):
    """The handler of exceptions that were named without one."""
    print("*** Simple custom exception handler ***")
    print("Exception type :", etype)
    print("Exception value:", value)
    print("Traceback      :", tb)
