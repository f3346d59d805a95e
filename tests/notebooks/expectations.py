"""What a code cell's metadata says of its outputs, and whether it came so.

`expect` maps `result`, `stdout`, `stderr`, `ename`, `evalue` to regular expressions that must be
found there. A cell tagged `raises-exception` may raise; any other may not.
"""
import re

ANSI = re.compile(r"\x1b\[[0-9;]*m")


def observed(cell):
    """The texts that expectations are about; an absent one is missing."""
    texts = {}
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            texts[output.name] = texts.get(output.name, "") + output.text
        elif output.output_type == "error":
            texts["ename"], texts["evalue"] = output.ename, ANSI.sub("", output.evalue)
        elif output.output_type == "execute_result":
            texts["result"] = output.data.get("text/plain", "")
    return texts


def shorten(text, limit=200):
    """The text on one line, cut where it gets long."""
    text = " ".join(text.split())
    return text if len(text) <= limit else text[:limit] + "..."


def cell_faults(cell):
    """One line for each way in which an executed cell is not as expected."""
    if cell.cell_type != "code":
        return
    texts = observed(cell)
    wanted = cell.metadata.get("expect", {})
    may_raise = "raises-exception" in cell.metadata.get("tags", []) or "ename" in wanted
    if "ename" in texts and not may_raise:
        yield shorten(f"{texts['ename']}: {texts['evalue']}")
        return
    for name, pattern in wanted.items():
        if name not in texts:
            yield f"no {name}, expected {pattern!r}"
        elif not re.search(pattern, texts[name]):
            yield shorten(f"{name} is {texts[name]!r}") + f", expected {shorten(pattern)!r}"
