"""The pages of the reference, made of docstrings, of the kernel's magics and of what the executable prints."""
import inspect
import json
import os
import pathlib
import re
import subprocess
import types

INDEX = """# Reference

```{toctree}
numba
cuda
cuda-intrinsics
numpy-support
magics
command
environment
```
"""
KINDS = ("Functions and decorators", "Classes", "Modules", "Types and other values")
MARKUP = re.compile(r"([\\*_<>\[\]$|])")
NAMED = re.compile(r"^(\*{0,2}\w+(?:, \*{0,2}\w+)*): ")


def escaped(text):
    """Plain text as Markdown shows it; what stands between backticks stays code."""
    return "".join(part if part.startswith("`") else MARKUP.sub(r"\\\1", part) for part in re.split(r"(`[^`]*`)", text))


def is_indented(line):
    return line.startswith("    ")


def paragraph(lines):
    """A paragraph of a docstring: prose, or a list of what each parameter is, or code below a line that ends in a colon."""
    text = []
    while lines:
        if is_indented(lines[0]):
            code = []
            while lines and (is_indented(lines[0]) or not lines[0]):
                code.append(lines.pop(0)[4:])
            text.append("\n```python\n" + "\n".join(code).rstrip() + "\n```\n")
            continue
        line = lines.pop(0)
        named = NAMED.match(line)
        text.append(f"- `{named[1]}`: {escaped(line[named.end():])}" if named else escaped(line))
    return "\n".join(text)


def as_markdown(docstring):
    return "\n\n".join(paragraph(part.split("\n")) for part in re.split(r"\n\n(?!    )", docstring.strip()))


def signature_of(thing, docstring):
    """(how it is called, the rest of its docstring): the first line, where it is that, or what Python knows."""
    first, _, rest = docstring.partition("\n")
    if re.match(r"^[\w.]+(\(.*\))?$", first) and rest.startswith("\n"):
        return first, rest.strip()
    try:
        return f"{thing.__name__}{inspect.signature(thing)}", docstring
    except (AttributeError, TypeError, ValueError):
        return None, docstring


def kind_of(thing):
    if isinstance(thing, types.ModuleType):
        return "Modules"
    if inspect.isclass(thing):
        return "Classes"
    return "Functions and decorators" if callable(thing) and not hasattr(thing, "bitwidth") else "Types and other values"


def entry(name, thing):
    call, text = signature_of(thing, inspect.getdoc(thing) or "")
    if call and not call.startswith(name):
        call = name + (call[call.index("("):] if "(" in call else "")
    code = f"```python\n{call}\n```\n\n" if call and "(" in call else ""
    return f"### {escaped(name)}\n\n{code}{as_markdown(text)}\n"


def module_page(title, module, intro):
    names = sorted((name for name in dir(module) if not name.startswith("_")), key=str.lower)
    by_kind = {kind: [] for kind in KINDS}
    for name in names:
        by_kind[kind_of(getattr(module, name))].append(name)
    parts = [f"# {title}\n\n{intro}\n"]
    for kind in KINDS[:2]:
        parts.append(f"## {kind}\n")
        parts += [entry(name, getattr(module, name)) for name in by_kind[kind]]
    for kind in KINDS[2:]:
        rows = "\n".join(f"| `{name}` | {escaped(first_line(getattr(module, name)))} |" for name in by_kind[kind])
        parts.append(f"## {kind}\n\n| name | what |\n| --- | --- |\n{rows}\n")
    return "\n".join(parts)


def first_line(thing):
    described = inspect.getdoc(thing) if not hasattr(thing, "bitwidth") else f"the type {thing}"
    return (described or "").partition("\n")[0]


def from_kernel(code):
    """What a cell of the kernel prints, as JSON."""
    from jupyter_client.manager import start_new_kernel
    manager, client = start_new_kernel(kernel_name="gridcell")
    try:
        printed = []
        reply = client.execute_interactive(code, timeout=60, output_hook=lambda message: printed.append(
            message["content"].get("text", "")))
        if reply["content"]["status"] != "ok":
            raise RuntimeError("\n".join(reply["content"]["traceback"]))
        return json.loads("".join(printed))
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def magics_page():
    found = from_kernel("import json\nprint(json.dumps(get_ipython().magics_manager.lsmagic_docs()))")
    parts = ["# Magics\n\n`%lsmagic` lists them in a cell, `%name?` says what one does.\n"]
    for kind, mark in ("line", "%"), ("cell", "%%"):
        rows = "\n".join(f"| `{mark}{name}` | {escaped(text.strip().partition(chr(10))[0])} |"
                         for name, text in sorted(found[kind].items()))
        parts.append(f"## Of a {kind}\n\n| magic | what |\n| --- | --- |\n{rows}\n")
    return "\n".join(parts)


def command_page(executable):
    def said(*words):
        return subprocess.run([executable, *words], capture_output=True, text=True, check=True).stdout.rstrip()
    names = re.findall(r"^  gridcell ([a-z]+)", said("--help"), re.M)
    parts = [f"# The command gridcell\n\n```text\n{said('--help')}\n```\n"]
    parts += [f"## gridcell {name}\n\n```text\n{said(name, '--help')}\n```\n" for name in dict.fromkeys(names)]
    return "\n".join(parts)


def environment_page(root):
    table = (root / "README.md").read_text().partition("## Environment variables\n")[2].partition("\n## ")[0]
    return "# Environment variables\n" + re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", table)


def write(folder, root):
    folder.mkdir(exist_ok=True)
    import gridcell
    gridcell.activate()
    import numba
    from numba import cuda
    build = pathlib.Path(os.environ["GRIDCELL_BUILD"])
    pages = {
        "index": INDEX,
        "numba": module_page("numba", numba, "What `import numba` gives. Names are numba's."),
        "cuda": module_page("numba.cuda", cuda, "What `from numba import cuda` gives."),
        "cuda-intrinsics": (build / "cuda-intrinsics.md").read_text(),
        "magics": magics_page(),
        "command": command_page(build / "gridcell"),
        "environment": environment_page(root),
    }
    for name, text in pages.items():
        (folder / f"{name}.md").write_text(text)
