"""Cells of more than 256 KiB, of which only the last statement goes through Python's syntax tree: each ends as a short
cell with the same lines does."""
import re

import pytest

LINES = 3_000
SHORT, LONG = "#\n" * LINES, ("#" * 100 + "\n") * LINES

ENDINGS = {
    "expression": "7",
    "ended by a line": "[1,\n2]\n",
    "after empty lines": "7\n\n\n# end\n\n",
    "quiet": "7;",
    "statement": "x = 7",
    "two on a line": "x = 7; x",
    "several": "x = 6\nx = x + 1\nx",
    "call": "dict(\n    a=3\n)\n",
    "brackets at the margin": "(\n1\n,\n)",
    "text": "'''\na = 1 #'''",
    "text with a text": "x = '''\nx = 1\n''' + \"'\"\nx",
    "line that goes on": "y = \\\n7\ny",
    "expression that goes on": "7 + \\\n1",
    "block": "if True:\n    x = 5\nelse:\n    x = 6\n",
    "block, then value": "for x in range(3):\n    pass\nx",
    "try": "try:\n    1 / 0\nexcept ZeroDivisionError:\n    7\n",
    "decorated": "def d(f):\n    return 7\n@d\ndef f():\n    pass\n",
    "function": "def f():\n    return 7\nf()",
    "future": "from __future__ import annotations\ndef f(x: unknown): return f.__annotations__\nf(1)",
    "nothing": "# end",
    "error": "x = 1\n1 / 0",
    "error in a function": "def f():\n    return 1 / 0\nf()",
    "no syntax": "x = 1\ndef (:\n",
    "no syntax at the end": "x = 1\n7 +",
    "no end of brackets": "x = [\n7",
    "await": "import asyncio\nawait asyncio.sleep(0)\n7",
    "await in the last": "import asyncio\nawait asyncio.sleep(0, 7)",
    "magic": "x = 7\n%pwd\nx",
    "line ends of another system": "x = 1\r\ny = \\\r\n7\r\ny\r\n",
    "warning": "x = 1\nx is 1",
    "é": "x = 'é'\nx",
}


def ending(kernel, code):
    """All that the cell shows, but for its number and the name of its file; and whether it leaves x."""
    result = kernel.run(code)
    shown = [message["content"] for message in result.messages
             if message["msg_type"] in ("execute_result", "error", "stream", "display_data")]
    text = re.sub(r"\\x1b\[[0-9;]*m|#{100}|\d+\.py|In ?\[\d+\]|'execution_count': \d+", "#", repr(shown))
    return result.content["status"], re.sub("#+", "#", text), kernel.run("x").content["status"]


@pytest.mark.parametrize("name", ENDINGS)
def test_endings(kernel, name):
    # from 3.13.4 on, the compiler's warning of a line is else shown once, whatever the file
    kernel.run("x = 0\nimport warnings; warnings.simplefilter('always')")
    assert ending(kernel, LONG + ENDINGS[name]) == ending(kernel, SHORT + ENDINGS[name])


@pytest.mark.parametrize("setting, ending_code", [
    ("ast_node_interactivity = 'all'", "1\n2"), ("ast_node_interactivity = 'none'", "1\n2"),
    ("ast_node_interactivity = 'last_expr_or_assign'", "x = 3"), ("ast_transformers = [Double()]", "3")])
def test_settings(kernel, setting, ending_code):
    kernel.run("import ast\nclass Double(ast.NodeTransformer):\n    def visit_Constant(self, node):\n"
               "        return ast.Constant(node.value * 2)\nshell = get_ipython()\n"
               f"before = shell.ast_node_interactivity, list(shell.ast_transformers)\nshell.{setting}")
    try:
        assert ending(kernel, LONG + ending_code) == ending(kernel, SHORT + ending_code)
    finally:
        kernel.run("shell.ast_transformers = []; shell.ast_node_interactivity = 'last_expr'")
