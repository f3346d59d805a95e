"""The comms."""
from ipykernel.comm import CommManager  # noqa: F401
