"""The suite imports `numba` as gridcell's, and runs on whatever device GRIDCELL_DEVICE names."""
import common  # noqa: F401  (puts the package on the path)
