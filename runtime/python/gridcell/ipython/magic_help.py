"""What `%name?` shows of a built-in magic: what it does, its forms, its options, and examples, which tests run."""
import re
import textwrap

import _gridcell_kernel as kernel

# name: forms, options, examples, each a line; what it does is the summary of the kernel's table
PAGES = {
    "alias": ("%alias  |  %alias NAME COMMAND", "%s  an argument; as many as there are must be given\n"
              "%l  the whole rest of the line\n(none)  what is given goes behind the command",
              "%alias greet echo hello %s\n%greet reader\n%alias"),
    "alias_magic": ("%alias_magic [-l | -c] [-p PARAMETERS] NAME TARGET",
                    "-l, --line  of line magics only\n-c, --cell  of cell magics only\n"
                    "-p, --params  words that go before what is given", "%alias_magic t timeit\n%t -n1 -r1 pass"),
    "autoawait": ("%autoawait [on | off | asyncio]", "(none)  says which it is", "%autoawait"),
    "automagic": ("%automagic [on | off]", "(none)  changes to the other", "%automagic on"),
    "bookmark": ("%bookmark NAME [FOLDER]  |  %bookmark -l  |  %bookmark -d NAME  |  %bookmark -r",
                 "NAME FOLDER  this folder; without it, the one we are in\n-l  lists all\n-d  forgets one\n-r  forgets all",
                 "%bookmark here\n%cd -q here\n%bookmark -d here"),
    "capture": ("%%capture [--no-stdout] [--no-stderr] [--no-display] [NAME]",
                "NAME  the variable; it has stdout, stderr, outputs and show()\n--no-stdout  stdout is shown as ever\n"
                "--no-stderr  stderr is shown as ever\n--no-display  displays are shown as ever",
                "%%capture kept\\nprint('quiet')\nkept.stdout"),
    "cd": ("%cd [FOLDER]  |  %cd -  |  %cd -N  |  %cd --TEXT  |  %cd -b NAME",
           "(none)  to the home folder\n-  to the folder before\n-N  to the Nth of %dhist\n--TEXT  to the last one that has it "
           "in its name\n-b  to a bookmark\n-q  does not say where it is", "%cd -q ..\n%cd -q -"),
    "config": ("%config  |  %config CLASS  |  %config CLASS.NAME  |  %config CLASS.NAME = VALUE",
               "(none)  lists the classes\nCLASS  its settings, and what they are", "%config IPCompleter\n"
               "%config InteractiveShell.cache_size"),
    "debug": ("%debug [-b FILE:LINE]  |  %debug STATEMENT  |  %%debug",
              "(none)  where the last exception was raised\nSTATEMENT  runs it step by step\n-b, --breakpoint  stops there",
              ""),
    "dhist": ("%dhist [N]  |  %dhist FIRST LAST", "N  the last N\nFIRST LAST  from the one to before the other", "%dhist"),
    "edit": ("%edit [-n LINE] [-p] [-r] [NAME | FILE | RANGES]",
             "-n  opens at that line\n-p  what was edited last\n-r  as it was typed", ""),
    "env": ("%env  |  %env NAME  |  %env NAME=VALUE  |  %env NAME VALUE", "(none)  all, secrets hidden\n"
            "NAME  its value\nVALUE  may have $name and {expression}", "%env GREETING=hello\n%env GREETING"),
    "gui": ("%gui [NAME]", "", ""),
    "history": ("%history [-n] [-o] [-p] [-t] [-u] [-y] [-f FILE] [-g [PATTERN]] [-l [N]] [RANGES]",
                "RANGES  4, 1-3, 1:3 (without 3), ~2/ (two sessions ago), ~8/1-~6/5, 243/1-5\n"
                "-n  with numbers\n-o  with outputs\n-p  with prompts\n-t  as Python that the cells were made into\n"
                "-g  of all sessions, those with the pattern, in which * and ? stand for anything\n-u  each text once\n"
                "-l  the last N of all sessions; 10 without N\n-f  into that file\n-y  overwrites it without asking",
                "%history -n 1-3\n%history -g -u hist*\n%history -l 2"),
    "load": ("%load [-r LINES] [-s NAMES] [-n] [-y] SOURCE",
             "SOURCE  a file, URL, range of the history, macro or name\n-r  lines such as 5-10,20 only\n"
             "-s  these functions and classes only\n-n  looks in the namespace, too\n-y  asks nothing", ""),
    "load_ext": ("%load_ext MODULE", "", "%load_ext autoreload"),
    "logstart": ("%logstart [-o] [-r] [-t] [-q] [FILE [MODE]]",
                 "-o  outputs, too, as comments\n-r  as typed\n-t  with times\n-q  says nothing\n"
                 "MODE  append, backup, global, over or rotate: what becomes of an older file", ""),
    "macro": ("%macro [-r] [-q] NAME RANGES", "-r  as typed\n-q  does not show it", "%macro -q again 1"),
    "matplotlib": ("%matplotlib [BACKEND]  |  %matplotlib -l", "-l, --list  which there are", ""),
    "notebook": ("%notebook FILE", "", ""),
    "pdb": ("%pdb [on | off]", "(none)  changes to the other", "%pdb off"),
    "pinfo": ("%pinfo NAME  |  NAME?", "", "%pinfo len"),
    "pip": ("%pip ARGUMENTS", "", ""),
    "precision": ("%precision [DIGITS | FORMAT]", "(none)  as repr() has them\nFORMAT  such as %.3e",
                  "%precision 3\n%precision"),
    "prun": ("%prun [-l LIMIT] [-r] [-s KEY] [-T FILE] [-D FILE] [-q] STATEMENT  |  %%prun",
             "-l  a number of lines, a fraction of them, or a pattern of names\n-r  returns the pstats.Stats\n"
             "-s  sorts by calls, cumulative, file, module, pcalls, line, name, nfl, stdname or time\n"
             "-T  writes the text\n-D  writes the figures, for pstats\n-q  shows nothing", "%prun -q sum(range(10))"),
    "psearch": ("%psearch [-a] [-c | -i] [-s SPACE] [-e SPACE] PATTERN [TYPE]  |  %psearch -l  |  PATTERN?",
                "PATTERN  * stands for anything\nTYPE  function, module, class... only\n-a  names with an underscore, too\n"
                "-c  minds the case, which it does unless c.InteractiveShell.wildcards_case_sensitive is false\n"
                "-i  does not mind the case\n-s, -e  looks there as well, or not: builtin, user, user_global\n"
                "-l  which types there are", "%psearch -i enum* class\nstr.*split*?"),
    "rerun": ("%rerun [-l N] [-g PATTERN] [RANGES]", "(none)  the last cell\n-l  the last N\n-g  the last one that has it",
              ""),
    "reset": ("%reset [-f] [-s] [--aggressive] [in] [out] [dhist] [array]",
              "-f  does not ask\n-s  keeps In, Out and their like\n--aggressive  forgets imported modules, too\n"
              "in, out, dhist, array  these only", "%reset -f out"),
    "reset_selective": ("%reset_selective [-f] PATTERN", "-f  does not ask", "%reset_selective -f ^no_such_name$"),
    "run": ("%run [-n] [-i] [-e] [-G] [-t [-N TIMES]] [-d [-b LINE]] [-p OPTIONS] [-m MODULE | FILE] ARGUMENTS",
            "-n  __name__ is not __main__\n-i  in the notebook's own names\n-e  sys.exit() is no error\n"
            "-G  * and ? are no wildcards\n-t, -N  with times, of so many runs\n-d, -b  in the debugger, to that line\n"
            "-p  under the profiler, with options of %prun\n-m  a module of sys.path", "%run -m this"),
    "save": ("%save [-r] [-f] [-a] FILE RANGES", "-r  as typed\n-f  overwrites without asking\n-a  adds to the file", ""),
    "script": ("%%script [--out NAME] [--err NAME] [--bg] [--proc NAME] [--no-raise-error] PROGRAM",
               "--out, --err  keep the streams in variables\n--bg  does not wait for it; %killbgscripts ends it\n"
               "--proc  keeps the process in a variable\n--no-raise-error  an exit status is no error",
               "%%script --out said cat\\nhello\nsaid"),
    "set_env": ("%set_env NAME=VALUE  |  %set_env NAME VALUE", "VALUE  may have $name and {expression}",
                "%set_env GREETING=hello"),
    "store": ("%store  |  %store NAMES  |  %store -d NAME  |  %store -z  |  %store -r [NAMES]  |  %store NAME > FILE",
              "(none)  lists what is kept\n-d  forgets one\n-z  forgets all\n-r  brings back all, or these\n"
              "> FILE, >> FILE  writes the value there, or adds it", ""),
    "sx": ("%sx COMMAND  |  !!COMMAND  |  NAME = !COMMAND", "", "words = %sx echo a b\nwords.fields(1)"),
    "time": ("%time [--no-raise-error] STATEMENT  |  %%time",
             "--no-raise-error  its exception is shown and forgotten", "%time sum(range(1000))"),
    "timeit": ("%timeit [-n LOOPS] [-r REPEATS] [-t | -c] [-p DIGITS] [-q] [-o] [-v NAME] STATEMENT  |  %%timeit SETUP",
               "-n  runs in a loop; as many as take 0.2 s without it\n-r  loops; 7 without it\n-t  by time.time()\n"
               "-c  by the time of the processor\n-p  digits of the result\n-q  shows nothing\n"
               "-o  returns a TimeitResult: average, stdev, best, worst, all_runs, loops, repeat\n-v  keeps it in a variable",
               "%timeit -n2 -r2 sum(range(10))\n%%timeit -n1 -r1 x = 3\\nx + 1"),
    "who": ("%who [TYPES]", "TYPES  only these, such as int function", "%who int"),
    "writefile": ("%%writefile [-a] FILE", "-a, --append  adds to the file", ""),
    "xdel": ("%xdel [-n] NAME", "-n  forgets the name only", ""),
    "xmode": ("%xmode [MODE]", "(none)  the next one\nPlain, Context, Verbose, Minimal, Docs, Doctest  that one", "%xmode Context"),
}
for _name, _other in (("hist", "history"), ("ed", "edit"), ("loadpy", "load"), ("file", "writefile"), ("who_ls", "who"),
                      ("whos", "who"), ("system", "sx"), ("!", "sx"), ("pinfo2", "pinfo"),
                      ("reload_ext", "load_ext"), ("unload_ext", "load_ext")):
    _forms, _options, _ = PAGES[_other]
    PAGES[_name] = re.sub(rf"%{_other}\b", f"%{_name}", _forms) if _other != "sx" else _forms, _options, ""


def _block(title, lines):
    return f"\n\n{title}::\n\n" + textwrap.indent(lines, "    ") if lines else ""


def _options(text):
    rows = [line.split("  ", 1) for line in text.splitlines()]
    width = max((len(name) for name, _ in rows), default=0)
    # after the names, each line begins where the first one does
    return "\n".join(name.ljust(width) + "  " + textwrap.fill(what, 90 - width, subsequent_indent=" " * (width + 2))
                     for name, what in rows)


def text_of(name):
    """The whole text about a magic; None where there is no such magic."""
    summary = kernel.magic_summary(name)
    if summary is None or name not in PAGES:
        return summary
    forms, options, examples = PAGES[name]
    what = summary.partition("\n\n")[0].partition(f": %{name}")[0].partition(f": %%{name}")[0].partition(": -")[0]
    return (what.rstrip(".") + "." + _block("Forms", "\n".join(forms.split("  |  "))) + _block("Options", _options(options))
            + _block("Examples", examples.replace("\\n", "\n")))


def examples_of(name):
    """The cells that stand as examples."""
    return [cell.replace("\\n", "\n") for cell in PAGES[name][2].splitlines()]
