"""IPython.embed(): a prompt in the middle of a function, which the front end asks; its names are the function's."""
import ast
import sys

import _gridcell_kernel as kernel
from gridcell.ipython.managers import TransformerManager

LEAVING = {"exit", "quit", "exit()", "quit()"}


class KillEmbedded(Exception):
    """Ends the program that %exit_raise is typed in."""


class InteractiveShellEmbed:
    """Prompts at the places where it is called. %kill_embedded ends those of one place, or with -i all of this object's."""

    dummy_mode = False

    def __init__(self, banner1="", exit_msg="", banner2="", **settings):
        self.banner1, self.banner2, self.exit_msg = banner1, banner2, exit_msg
        self.embedded_active, self._quiet_places = True, set()

    @classmethod
    def instance(cls, **settings):
        return cls(**settings)

    def __call__(self, header="", local_ns=None, module=None, dummy=None, stack_depth=1, compile_flags=None, **_):
        frame = sys._getframe(stack_depth)
        place = frame.f_code.co_filename, frame.f_lineno
        is_off = self.dummy_mode if dummy is None else dummy
        if is_off or not self.embedded_active or place in self._quiet_places:
            return
        spaces = vars(module) if module else frame.f_globals, frame.f_locals if local_ns is None else local_ns
        for text in (self.banner1, self.banner2, header):
            if text:
                print(text)
        _Prompt(self, place, spaces, compile_flags or 0).run()
        if self.exit_msg:
            print(self.exit_msg)

    mainloop = __call__


class _Prompt:
    """What is typed at one prompt, until it is left."""

    def __init__(self, shell, place, spaces, flags):
        self.shell, self.place, self.flags = shell, place, flags
        # one namespace, so that functions and comprehensions that are typed see the names around them
        self.space = spaces[0] if spaces[0] is spaces[1] else {**spaces[0], **spaces[1]}
        self.count, self.is_left = 1, False
        self.checker = TransformerManager(kernel.get_ipython())

    def read(self):
        """Lines, until they make a statement; None: the prompt is left."""
        lines = []
        while True:
            prompt = f"In [{self.count}]: " if not lines else f"{'...':>{len(str(self.count)) + 5}}: "
            try:
                lines.append(input(prompt))
            except EOFError:
                return None
            text = "\n".join(lines)
            if not lines[-1].strip():  # an empty line ends what could go on
                return text
            is_in_block = len(lines) > 1 and lines[-1].startswith((" ", "\t"))
            if self.checker.check_complete(text)[0] != "incomplete" and not is_in_block:
                return text

    def run(self):
        while not self.is_left:
            text = self.read()
            if text is None or text.strip() in LEAVING:
                return
            if text.strip():
                self.do(text)

    def do(self, text):
        words = text.split()
        if words[0].lstrip("%") == "exit_raise":
            raise KillEmbedded("exit_raise was typed at an embedded prompt")
        if words[0].lstrip("%") == "kill_embedded":
            self.kill(words[1:])
            return
        try:
            self.execute(kernel.transform_cell(text))
        except SystemExit:
            self.is_left = True
        except Exception:
            kernel.get_ipython().showtraceback()
        self.count += 1

    def kill(self, options):
        """%kill_embedded [-i | --instance] [-x | --exit] [-y | --yes]"""
        if not {"-y", "--yes"} & set(options):
            if not kernel.get_ipython().ask_yes_no("Are you sure you want to kill this embedded prompt? [y/N]", "n"):
                return
        if {"-i", "--instance"} & set(options):
            self.shell.embedded_active = False
            print("This object will not ask again.")
        else:
            self.shell._quiet_places.add(self.place)
            print("This place will not ask again.")
        self.is_left = bool({"-x", "--exit"} & set(options))

    def execute(self, source):
        """Runs the statements, and shows the value of a last expression."""
        name = f"<embedded {self.count}>"
        import linecache
        linecache.cache[name] = len(source), None, source.splitlines(keepends=True), name
        tree = ast.parse(source, name)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec", self.flags), self.space)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval", self.flags), self.space)
            if value is not None:
                self.space["_"] = value
                print(f"Out[{self.count}]: {kernel.pretty(value)}")


_shell = InteractiveShellEmbed()


def embed(*, header="", compile_flags=None, banner1="", banner2="", exit_msg="", stack_depth=2, **settings):
    """Asks for code in the middle of a function, with its names. `exit` goes on."""
    _shell.banner1, _shell.banner2, _shell.exit_msg = banner1, banner2, exit_msg
    _shell(header=header, compile_flags=compile_flags, stack_depth=stack_depth)
