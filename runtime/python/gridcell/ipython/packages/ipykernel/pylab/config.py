"""Settings of figures, under an older name."""
from matplotlib_inline.config import InlineBackend  # noqa: F401
