"""What replies carry to the front end."""
from gridcell.ipython.extras import PayloadManager  # noqa: F401
