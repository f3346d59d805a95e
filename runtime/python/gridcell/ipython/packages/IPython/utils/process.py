"""Commands of the system."""
import shlex
import shutil
import subprocess

from gridcell.ipython.paths import fall_through as _fall_through

__getattr__ = _fall_through(__name__)


class FindCmdError(Exception):
    """There is no such command."""


def find_cmd(cmd):
    """The path of a command."""
    path = shutil.which(cmd)
    if path is None:
        raise FindCmdError(f"command could not be found: {cmd}")
    return path


def arg_split(commandline, posix=False, strict=True):
    """The words of a line; not strict: what is left of an unclosed quotation is one word."""
    lexer = shlex.shlex(commandline, posix=posix)
    lexer.whitespace_split, lexer.commenters = True, ""
    words = []
    while True:
        try:
            word = lexer.get_token()
        except ValueError:
            if strict:
                raise
            words.append(lexer.token)
            return words
        if word is None or (not posix and word == ""):
            return words
        words.append(word)


def system(cmd):
    """Runs a command; its output goes to the notebook. Its exit status."""
    import _gridcell_kernel
    shell = _gridcell_kernel.get_ipython()
    before = shell.user_ns.get("_exit_code")
    shell.system(cmd)
    status, shell.user_ns["_exit_code"] = shell.user_ns.get("_exit_code", 0), before
    return status


def getoutput(cmd):
    """What a command prints on both streams."""
    return subprocess.run(cmd, shell=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          stdin=subprocess.DEVNULL, text=True, errors="replace").stdout


def getoutputerror(cmd):
    """What a command prints: stdout, stderr."""
    return get_output_error_code(cmd)[:2]


def get_output_error_code(cmd):
    """What a command prints, and its exit status."""
    done = subprocess.run(cmd, shell=True, capture_output=True, stdin=subprocess.DEVNULL, text=True,
                          errors="replace")
    return done.stdout, done.stderr, done.returncode


getoutput.__module__ = system.__module__ = "IPython.utils.process"


def abbrev_cwd():
    """The working folder, short."""
    import os
    return os.path.basename(os.getcwd())


def check_pid(pid):
    """Whether such a process exists."""
    import os
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
