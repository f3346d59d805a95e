"""Comm objects between the page and Python, for the `comm` package."""
import sys
import uuid

import _gridcell_kernel as kernel

_manager = None


def _make_classes():
    from comm.base_comm import BaseComm, CommManager

    class Comm(BaseComm):
        """One channel to the front end."""

        def __init__(self, target_name="", data=None, metadata=None, buffers=None, comm_id=None,
                     primary=True, target_module=None, **kwargs):
            self.kernel = getattr(kernel.get_ipython(), "kernel", None)
            super().__init__(target_name=target_name, data=data, metadata=metadata, buffers=buffers,
                             comm_id=comm_id or uuid.uuid4().hex, primary=primary,
                             target_module=target_module)

        def publish_msg(self, msg_type, data=None, metadata=None, buffers=None, **keys):
            content = {"data": {} if data is None else data, "comm_id": self.comm_id, **keys}
            kernel.publish(msg_type, content, metadata or {}, buffers or [])

    return Comm, CommManager


def install(comm):
    """Called when `comm` was imported: its comms are ours from then on."""
    global _manager
    Comm, CommManager = _make_classes()
    Comm.__module__ = "ipykernel.comm.comm"
    _manager = CommManager()
    comm.create_comm = lambda *args, **kwargs: Comm(*args, **kwargs)
    comm.get_comm_manager = lambda: _manager
    comm.Comm = Comm


def manager():
    """The comm manager; imports `comm`."""
    import comm
    return comm.get_comm_manager()


def comm_class():
    import comm
    return comm.Comm


def _message(msg_type, content, metadata, buffers):
    return {"header": {"msg_type": msg_type}, "msg_type": msg_type, "content": content,
            "metadata": metadata, "buffers": buffers, "parent_header": kernel.get_parent().get("header", {})}


def handle(msg_type, content, metadata, buffers):
    """A comm message of the front end."""
    if "comm" not in sys.modules and msg_type != "comm_open":
        return
    try:
        comms = manager()
    except ImportError:
        kernel.publish("comm_close", {"comm_id": content.get("comm_id", ""), "data": {}})
        return
    message = _message(msg_type, content, metadata, buffers)
    getattr(comms, msg_type)(None, None, message)


def info(target):
    """Open comms by id, of one target or all."""
    return {key: {"target_name": value.target_name} for key, value in manager().comms.items()
            if target is None or value.target_name == target}
