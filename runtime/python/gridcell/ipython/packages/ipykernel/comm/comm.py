"""One comm."""
from ipykernel.comm import Comm  # noqa: F401

BaseComm = Comm
