"""Magics that switch something: %autocall, %colors, %doctest_mode, %gui, %autosave, %connect_info."""
import _gridcell_kernel as kernel
from IPython.core.error import UsageError

THEMES = ("nocolor", "linux", "neutral", "lightbg")
CALLING = ("Off", "Smart", "Full")
LOOPS = ("inline", "nbagg", "webagg", "notebook", "ipympl", "widget", "asyncio")
_before = {}


def autocall(line):
    """0 off, 1 smart, 2 full; without an argument, on or off."""
    text = line.strip()
    mode = kernel.switch("autocall")
    if not text:
        mode = _before.get("autocall", 1) if not mode else 0
    elif text in ("0", "1", "2"):
        mode = int(text)
    else:
        names = {"off": 0, "smart": 1, "full": 2}
        if text.lower() not in names:
            raise UsageError("Valid modes: (0->Off, 1->Smart, 2->Full")
        mode = names[text.lower()]
    if mode:
        _before["autocall"] = mode
    kernel.switch("autocall", mode)
    print("Automatic calling is:", CALLING[mode])


def colors(line):
    """Colours of tracebacks; names of other themes are taken as the default one."""
    name = line.strip().lower()
    if not name:
        raise UsageError("%colors: you must specify a color theme. See '%colors?'. Available themes: "
                         f"{list(THEMES)}")
    if name not in THEMES:
        raise UsageError(f"%colors: unknown theme {line.strip()!r}. Available themes: {list(THEMES)}")
    kernel.get_ipython().colors = name
    kernel.switch("colourless", name == "nocolor")


def doctest_mode(line):
    """Plain tracebacks and plain reprs, as doctests have them; and back."""
    shell = kernel.get_ipython()
    turns_on = "doctest" not in _before
    if turns_on:
        _before["doctest"] = kernel.switch("pprint")
        shell.run_line_magic("xmode", "Plain")
        kernel.switch("pprint", False)
    else:
        shell.run_line_magic("xmode", "Context")
        kernel.switch("pprint", _before.pop("doctest"))
    print("Doctest mode is:", "ON" if turns_on else "OFF")


def gui(line):
    """asyncio is always there; windows of toolkits are not run by this kernel."""
    name = line.strip().lower()
    if not name or name in ("none", "asyncio", "inline"):
        return
    if name in LOOPS:
        kernel.get_ipython().enable_matplotlib(name)
        return
    raise UsageError(f"Invalid GUI request {name!r}: this kernel runs no windows; "
                     f"valid ones are {', '.join(LOOPS)}")


def autosave(line):
    """Asks the notebook page to save itself that often."""
    try:
        seconds = int(line.strip() or "120")
    except ValueError:
        raise UsageError(f"%autosave requires an integer, got {line.strip()!r}") from None
    script = f"IPython.notebook.set_autosave_interval({1000 * seconds})"
    kernel.publish_display("display_data", {"application/javascript": script})
    print(f"Autosaving every {seconds} seconds" if seconds else "Autosave disabled")


def connect_info(line):
    """What another client needs to talk to this kernel."""
    import os
    path = kernel.connection_file()
    if not path:
        print("This session runs without a front end.")
        return
    with open(path, encoding="utf-8") as file:
        print(file.read().strip())
    print("\nPaste the above JSON into a file, and connect with:\n"
          "    $> jupyter <app> --existing <file>\n"
          "or, if you are local, you can connect with just:\n"
          f"    $> jupyter <app> --existing {os.path.abspath(path)}")


def clear(line):
    print("\x1b[H\x1b[2J", end="")


def qtconsole(line):
    """A Qt console on this kernel, where one is installed."""
    import shlex
    import shutil
    import subprocess
    path = shutil.which("jupyter-qtconsole")
    if path is None:
        print("jupyter-qtconsole is not installed.")
        return
    subprocess.Popen([path, "--existing", kernel.connection_file() or "", *shlex.split(line)],
                     stdin=subprocess.DEVNULL, start_new_session=True)


def subshell(line):
    """Where this cell runs."""
    import os
    import threading
    print("subshell id:", kernel.get_parent().get("header", {}).get("subshell_id"))
    print("thread id:", threading.get_ident())
    print("main thread id:", threading.main_thread().ident)
    print("pid:", os.getpid())
    print("thread count:", threading.active_count())
    print("subshell list:", kernel.answer("subshells", {})["subshell_id"])


def pastebin(line):
    """No code leaves the machine."""
    raise UsageError("%pastebin is not offered: this kernel sends no code to other hosts. "
                     "%save FILE RANGES writes the same lines to a file.")
