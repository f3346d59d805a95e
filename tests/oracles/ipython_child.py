"""usage: gridcell run ipython_child.py FILE LOG SECONDS

What runs the tests is a module of its own: `%reset` in a test takes away all names of this file.
"""
import builtins
import os
import sys

builtins.get_ipython = get_ipython  # noqa: F821: the notebook's
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import ipython_teller  # noqa: E402

ipython_teller.main()
