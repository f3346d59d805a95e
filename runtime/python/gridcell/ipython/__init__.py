"""The notebook's Python-side objects: what get_ipython(), IPython.display and magics need.

Nothing here is imported when the kernel starts; each module is loaded by its first use.
"""
