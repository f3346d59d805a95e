"""What %config can set: each class with its settings, what holds until they are set, and what they do."""
import _gridcell_kernel as kernel

CLASSES = {
    "AliasManager": {
        "user_aliases": ([], "Pairs of a name and a shell command; each becomes a line magic."),
    },
    "HistoryManager": {
        "enabled": (True, "False: cells are kept for this session only. In a configuration file."),
        "hist_file": ("", "The file that cells are kept in. In a configuration file."),
        "db_log_output": (False, "Keep outputs for later sessions, too."),
    },
    "IPCompleter": {
        "use_jedi": (True, "Ask jedi, where it is installed, for what no object exists of yet."),
        "jedi_compute_type_timeout": (400, "Milliseconds that jedi may take for the types of completions."),
        "greedy": (False, "Kept for IPython's sake: indices are completed after in any case, calls never made."),
        "evaluation": ("limited", "Kept for IPython's sake: completion evaluates what runs no code of the user's."),
        "omit__names": (2, "Which attributes are offered only once their underscore is typed: 2 those that "
                           "begin with one, 1 those like __this__, 0 none."),
        "limit_to__all__": (False, "Kept for IPython's sake: all attributes are offered."),
        "merge_completions": (True, "Kept for IPython's sake: what all sources find is offered."),
        "auto_close_dict_keys": (False, "Keys are offered with their quote, and the bracket or comma behind it."),
        "suppress_competing_matchers": (None, "Whether matchers may hide others: True, False or by identifier; None: as "
                                              "they say."),
        "disable_matchers": ([], "Identifiers of matchers that are not asked."),
        "debug": (False, "Kept for IPython's sake."),
    },
    "InlineBackend": {
        "figure_formats": ({"png"}, "The formats of figures: png, png2x or retina, jpeg, svg, pdf."),
        "figure_format": ("png", "The only format of figures."),
        "close_figures": (True, "Close figures once they are shown at the end of the cell."),
        "rc": ({}, "Matplotlib's rcParams for figures in the notebook."),
        "print_figure_kwargs": ({"bbox_inches": "tight"}, "Arguments for savefig() of figures in the notebook."),
    },
    "InteractiveShell": {
        "ast_node_interactivity": ("last_expr", "Which expressions of a cell show their values: all, last, "
                                                "last_expr, none or last_expr_or_assign."),
        "autocall": (0, "Call functions without parentheses: 0 off, 1 smart, 2 always."),
        "automagic": (True, "Magics need no percent sign where no variable has their name."),
        "autoawait": (True, "Cells may await at the top level."),
        "cache_size": (1000, "How many results Out keeps; 0: none."),
        "colors": ("neutral", "The colours of tracebacks and sources: nocolor, neutral, linux or lightbg."),
        "enable_html_pager": (True, "Help has HTML beside its text."),
        "pdb": (False, "Open the debugger after every error."),
        "xmode": ("Context", "How tracebacks look: Plain, Context, Verbose, Minimal, Docs or Doctest."),
    },
    "LoggingMagics": {
        "quiet": (False, "%logstart does not tell its state."),
    },
    "MagicsManager": {
        "auto_magic": (True, "The same as InteractiveShell.automagic."),
    },
    "OSMagics": {
        "cd_force_quiet": (False, "%cd does not say where it went."),
    },
    "PlainTextFormatter": {
        "pprint": (True, "Lay results out over lines as wide as max_width."),
        "max_width": (79, "The width that results are laid out for."),
        "max_seq_length": (1000, "How many items of a list, tuple, dict or set are shown; 0: all."),
        "float_precision": ("", "Digits after the point, or a format such as %.3f; empty: repr()."),
        "newline": ("\n", "What ends the lines of results."),
    },
    "ScriptMagics": {
        "script_magics": ([], "Programs that a ScriptMagics object has cell magics for, besides its own."),
        "script_paths": ({}, "The commands of those that are not found by their name."),
    },
    "StoreMagics": {
        "autorestore": (False, "Bring back what %store keeps when the kernel starts."),
    },
}

ALIASES = {"ZMQInteractiveShell": "InteractiveShell", "TerminalInteractiveShell": "InteractiveShell",
           "Completer": "IPCompleter"}


def default(owner, trait, otherwise=None):
    """What a setting is until it is set."""
    entry = CLASSES.get(owner, {}).get(trait)
    return otherwise if entry is None else entry[0]


def describe(owner, values):
    """The page of %config Class: each setting, what it does, and what it is now."""
    known = CLASSES.get(owner, {})
    title = f"{owner} options"
    lines = [title, "-" * len(title)]
    for trait in sorted(values):
        about = _wrap(known[trait][1]) if trait in known else []
        kind = type(known[trait][0] if trait in known else values[trait]).__name__
        lines += [f"{owner}.{trait}=<{kind}>", *about, f"    Current: {values[trait]!r}"]
    return "\n".join(lines)


def _wrap(text):
    import textwrap
    return textwrap.wrap(text, 80, initial_indent="    ", subsequent_indent="    ")


def configured(owner, trait, default):
    """What `%config owner.trait` or a configuration set."""
    shell = kernel.get_ipython()
    own = vars(shell.settings_of(owner)).get(trait)
    return shell.config.get(owner, {}).get(trait, default) if own is None else own
