"""%quickref and %magic: what is special in cells, on one page."""
import _gridcell_kernel as kernel
from gridcell.ipython.magic_help import text_of

QUICK = """\
What cells understand besides Python

name?  name??          help on an object; with its source
mod.*part*?            names that match
%magic args            a line magic; %%magic at the top makes the whole cell its argument
magic args             the same, where no variable has that name (%automagic)
x = %magic args        keeps what the magic returns
!command  !!command    a shell command; with its lines as a result
x = !command           its output as a list with .s .n .grep() .fields() .sort()
{expression}  $name    filled in, in commands and in most magics; $$ is a dollar sign
expression;            no result is shown
_  __  ___  _7  Out[7] results; In[7], _i7 what was typed; _i, _ii, _iii the last three
f? , /f a, ,f a b, ;f a b    /f calls f(a); , quotes each word; ; quotes the rest

%lsmagic               all magics; %name? tells what one does
%timeit %time %prun    how long something takes, and where
%history %save %rerun  earlier cells
%who %whos %reset      names
%run %load             files
%debug %tb %xmode      errors
%config                settings
"""


def _show(text):
    from IPython.core.page import page
    page({"text/plain": text})


def quickref(line):
    _show(QUICK + "\n" + "\n".join(_lines("line", "%", True)) + "\n")


def _lines(kind, sign, is_brief):
    for name in kernel.magic_names(kind):
        function = kernel.state("user_magics")[kind].get(name)
        text = (function.__doc__ if function else
                kernel.magic_summary(name) if is_brief else text_of(name)) or ""
        text = text.strip()
        yield f"{sign}{name:<18} {text.splitlines()[0] if is_brief and text else text}"


def magic(line):
    """Every magic with what it does."""
    if line.strip() in ("-brief", "-latex", "-rest"):
        _show("\n".join([*_lines("line", "%", True), *_lines("cell", "%%", True)]))
        return
    _show("Line magics, which take the rest of their line\n\n" + "\n".join(_lines("line", "%", False)) +
          "\n\nCell magics, which take the rest of the cell too\n\n" +
          "\n".join(_lines("cell", "%%", False)) + "\n")


def less(line):
    """A file in the pager."""
    import os
    if not line.strip():
        print("Missing filename: %less FILE")
        return
    with open(os.path.expanduser(line.strip()), encoding="utf-8", errors="replace") as file:
        _show(file.read())


def man(line):
    """A manual page in the pager, without the overstrikes of terminals."""
    import os
    import re
    import subprocess
    done = subprocess.run(["man", *line.split()], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, env={**os.environ, "MANPAGER": "cat"})
    if done.returncode:
        print(done.stderr.strip())
        return
    text = re.sub(".\x08", "", done.stdout)
    _show(re.sub("\x1b\\[[0-9;]*m", "", text))
