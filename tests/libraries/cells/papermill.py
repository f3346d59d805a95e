"""papermill: a notebook with parameters and cell magics, executed by a cell with the same kernel, and one that fails"""
# %%
import nbformat, papermill, logging, os
logging.disable(logging.WARNING)
from nbformat.v4 import new_code_cell, new_notebook
def write(*cells):
    book = new_notebook(cells=[new_code_cell(cells[0], metadata={"tags": ["parameters"]}), *map(new_code_cell, cells[1:])])
    book.metadata["kernelspec"] = {"name": os.environ.get("NOTEBOOK_KERNEL", "python3"), "language": "python", "display_name": "P"}
    nbformat.write(book, "in.ipynb")
write("n = 1\nname = 'a'", "%%capture held\nprint(n, name)", "held.stdout", "%%time\nn * 2")
# %%
book = papermill.execute_notebook("in.ipynb", "out.ipynb", parameters={"n": 21, "name": "it's", "more": {"a": [1, None, True]}},
                                  progress_bar=False)
# %%
[cell.source for cell in book.cells if "injected-parameters" in cell.metadata.get("tags", ())]
# %%
[output.get("text", output.get("data", {}).get("text/plain")) for cell in book.cells for output in cell.outputs][:1]
# %%
from papermill.translators import papermill_translators
print(papermill_translators.find_translator("any", "python").codify({"x": 1.5, "y": float("inf"), "z": "a\n"}))
# %%
papermill.inspect_notebook("in.ipynb")
# %%
write("n = 1", "1 / n")
try:
    papermill.execute_notebook("in.ipynb", "out.ipynb", parameters={"n": 0}, progress_bar=False)
except papermill.PapermillExecutionError as error:
    held = error.ename, error.evalue, error.exec_count
# %%
held
