# SPDX-License-Identifier: MIT
"""python3 -m gridcell FILE.py [ARGS]: runs a script with `numba` from gridcell.
python3 -m gridcell COMMAND [OPTIONS]: what the program `gridcell` does, in this Python.
"""
import sys

USAGE = """usage: python3 -m gridcell (FILE.py | -m MODULE | -c CODE) [ARGS]
       python3 -m gridcell COMMAND [OPTIONS]"""
# what gridcell._kernel does, in C
COMMANDS = ("kernel", "install", "run", "info", "doctor", "tutorial", "--doctor", "--version", "-V")


def run_code(code):
    import types
    main = types.ModuleType("__main__")
    sys.modules["__main__"] = main
    import linecache
    linecache.cache["<string>"] = (len(code), None, code.splitlines(True), "<string>")
    exec(compile(code, "<string>", "exec"), main.__dict__)


def share_with_children():
    """Programs that this one starts, and processes that it spawns, find the same numba."""
    import os
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "children")
    paths = [folder] + [p for p in os.environ.get("PYTHONPATH", "").split(os.pathsep) if p and p != folder]
    os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def run_command(args):
    """Does not return: the thread becomes the kernel's, and the process ends with it."""
    from gridcell import _kernel
    _kernel.run(sys.executable, ["gridcell", *args])


def run_program(args):
    import runpy

    from gridcell import hook
    hook.install()
    share_with_children()
    if args[0] in ("-m", "-c") and len(args) < 2:
        print(USAGE, file=sys.stderr)
        return 2
    if args[0] == "-m":
        sys.argv = args[1:]
        runpy.run_module(args[1], run_name="__main__", alter_sys=True)
    elif args[0] == "-c":
        sys.argv = ["-c"] + args[2:]
        sys.path.insert(0, "")
        run_code(args[1])
    else:
        import os
        if not os.path.exists(args[0]):
            print(f"gridcell: cannot open {args[0]!r}: no such file", file=sys.stderr)
            return 2
        sys.argv = args
        sys.path[0] = os.path.dirname(os.path.abspath(args[0]))
        runpy.run_path(args[0], run_name="__main__")
    return 0


def main(args):
    if args and args[0] in COMMANDS:
        run_command(args)
    if not args or args[0] in ("-h", "--help"):
        print(USAGE, file=sys.stdout if args else sys.stderr, flush=True)
        if args:
            run_command(args)
        return 2
    return run_program(args)


def script():
    """The program `gridcell` that pip installs."""
    run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
