"""get_ipython().kernel: what libraries look for in the kernel's object."""
import _gridcell_kernel as kernel


class CommManager:
    """kernel.comm_manager: the `comm` package's, loaded when asked for."""

    def __getattr__(self, name):
        from gridcell.ipython.comms import manager
        return getattr(manager(), name)


class Session:
    """kernel.session, as far as libraries look at it."""

    session = key = ""

    def send(self, stream, msg_or_type, content=None, parent=None, ident=None, buffers=None,
             track=False, header=None, metadata=None):
        kernel.publish(msg_or_type, content or {}, metadata or {}, buffers or [])


class Done:
    """An awaitable without anything to wait for."""

    def __await__(self):
        return iter(())


class IPythonKernel:
    """get_ipython().kernel."""

    implementation, banner = "ipython", ""

    def __init__(self, shell):
        self.shell, self.session, self.comm_manager = shell, Session(), CommManager()
        self.shell_handlers, self.control_handlers = {}, {}
        self.iopub_socket = self.iopub_thread = None
        self.log = _logger()

    def get_parent(self, channel=None):
        return kernel.get_parent(channel)

    @property
    def _parent_header(self):
        return kernel.get_parent()

    @property
    def _parent_ident(self):
        return {channel: [text.encode() for text in kernel.get_parent(channel).get("identities", [""])]
                for channel in ("shell", "control")}

    @property
    def io_loop(self):
        import asyncio
        return asyncio.get_event_loop()

    def do_one_iteration(self):
        """Handles the comm messages that wait. The result can be awaited."""
        kernel.serve_comms()
        return Done()

    def do_shutdown(self, restart=False):
        kernel.state("exit")()(False)
        return {"status": "ok", "restart": restart}


def _logger():
    import logging
    return logging.getLogger("gridcell")
