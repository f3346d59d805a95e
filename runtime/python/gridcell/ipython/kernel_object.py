"""get_ipython().kernel: what libraries look for in the kernel's object."""
import _gridcell_kernel as kernel
from gridcell.ipython.traits import Configurable

REQUESTS = ("execute", "complete", "inspect", "history", "comm_info", "kernel_info", "connect", "shutdown",
            "is_complete", "interrupt")
CONTROL_REQUESTS = (*REQUESTS, "debug", "usage", "create_subshell", "delete_subshell", "list_subshell")
COMMS = ("comm_open", "comm_msg", "comm_close")
DELIMITER = b"<IDS|MSG>"


class CommManager:
    """kernel.comm_manager: the `comm` package's, loaded when asked for."""

    def __getattr__(self, name):
        from gridcell.ipython.comms import manager
        return getattr(manager(), name)

    def __dir__(self):
        from gridcell.ipython.comms import manager
        return dir(manager())


class Socket:
    """kernel.iopub_socket: messages that libraries send themselves. Other channels take none: the
    kernel answers requests itself."""

    def __init__(self, name):
        self.name = name

    def __repr__(self):
        return f"<the {self.name} channel>"

    def send_multipart(self, parts, *args, **kwargs):
        """A message as its frames: identities, delimiter, signature, four JSON texts, buffers."""
        import json
        frames = [bytes(part) for part in parts]
        if DELIMITER not in frames:
            raise ValueError("a message has the frame <IDS|MSG>")
        header, _, metadata, content, *buffers = frames[frames.index(DELIMITER) + 2:]
        self.publish(json.loads(header)["msg_type"], json.loads(content), json.loads(metadata), buffers)

    def publish(self, msg_type, content, metadata=None, buffers=None):
        if self.name != "iopub":
            raise NotImplementedError(f"the kernel itself sends what goes over the {self.name} channel")
        kernel.publish(msg_type, content or {}, metadata or {}, buffers or [])

    def flush(self, *args, **kwargs):
        """What was written goes out by itself."""

    closed = False


class OutputThread:
    """kernel.iopub_thread: output needs no thread of Python here, so work is done at once."""

    def __init__(self, socket):
        self.socket, self.background_socket = socket, socket

    def schedule(self, function):
        function()

    def send_multipart(self, *args, **kwargs):
        self.socket.send_multipart(*args, **kwargs)

    def flush(self, timeout=None):
        import sys
        sys.stdout.flush()
        sys.stderr.flush()


class Session(Configurable):
    """kernel.session: messages as dicts, and those sent on the output channel."""

    signature_scheme, metadata, check_pid, debug = "hmac-sha256", {}, True, False
    auth = None

    def __init__(self):
        import os
        self.session = os.urandom(16).hex()
        self.username = os.environ.get("USER", "username")
        self.message_count = 0

    @property
    def bsession(self):
        return self.session.encode("ascii")

    @property
    def key(self):
        return connection().get("key", "").encode()

    @property
    def msg_id(self):
        import os
        self.message_count += 1
        return f"{self.session}_{os.getpid()}_{self.message_count}"

    def msg_header(self, msg_type):
        import datetime
        return {"msg_id": self.msg_id, "msg_type": msg_type, "username": self.username,
                "session": self.session, "date": datetime.datetime.now(datetime.timezone.utc),
                "version": "5.4"}

    def msg(self, msg_type, content=None, parent=None, header=None, metadata=None):
        """A message as a dict."""
        header = header or self.msg_header(msg_type)
        parent = (parent or {}).get("header", parent or {})
        return {"header": header, "msg_id": header["msg_id"], "msg_type": header["msg_type"],
                "parent_header": parent, "content": content or {}, "metadata": {**self.metadata, **(metadata or {})}}

    def send(self, stream, msg_or_type, content=None, parent=None, ident=None, buffers=None,
             track=False, header=None, metadata=None):
        """Publishes a message, whose parent is the request that runs. The message."""
        if isinstance(msg_or_type, dict):
            message = msg_or_type
            buffers = buffers or message.get("buffers")
        else:
            message = self.msg(msg_or_type, content, parent, header, metadata)
        socket = stream if isinstance(stream, Socket) else Socket("iopub")
        socket.publish(message["msg_type"], message["content"], message["metadata"], buffers)
        return message


class Done:
    """An awaitable without anything to wait for."""

    def __await__(self):
        return iter(())


def connection():
    """The connection file."""
    import json
    path = kernel.connection_file()
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Handlers(dict):
    """Functions by the type of a request. They return the content of its reply: what front ends ask
    is answered by the kernel, whatever stands here."""

    def __init__(self, owner, names):
        super().__init__({f"{name}_request": getattr(owner, f"{name}_request") for name in names})


class IPythonKernel(Configurable):
    """get_ipython().kernel."""

    implementation, protocol_version = "gridcell", "5.4"
    eventloop = debugger = None
    stop_on_error_timeout = 0.0
    int_id = ident = ""
    use_experimental_completions = True
    user_ns = property(lambda self: self.shell.user_ns)
    user_module = property(lambda self: self.shell.user_module)
    execution_count = property(lambda self: self.shell.execution_count)
    msg_types = [f"{name}_request" for name in REQUESTS]
    control_msg_types = [f"{name}_request" for name in CONTROL_REQUESTS]

    def __init__(self, shell):
        self.shell, self.session, self.comm_manager = shell, Session(), CommManager()
        self.iopub_socket, self.stdin_socket = Socket("iopub"), Socket("stdin")
        self.shell_stream, self.control_stream = Socket("shell"), Socket("control")
        self.iopub_thread = OutputThread(self.iopub_socket)
        self.shell_handlers, self.control_handlers = Handlers(self, REQUESTS), Handlers(self, CONTROL_REQUESTS)
        for name in COMMS:
            self.shell_handlers[name] = self._comm_handler(name)

    def _comm_handler(self, name):
        return lambda stream, ident, parent: getattr(self.comm_manager, name)(stream, ident, parent)

    # ---- what it says of itself
    language_info = property(lambda self: kernel.answer("language", {})["language_info"])
    banner = property(lambda self: kernel.answer("language", {})["banner"])
    help_links = property(lambda self: kernel.answer("language", {})["help_links"])

    @property
    def implementation_version(self):
        from gridcell import __version__
        return __version__

    @property
    def kernel_info(self):
        return {"protocol_version": self.protocol_version, "implementation": self.implementation,
                "implementation_version": self.implementation_version,
                "supported_features": ["kernel subshells"],
                **kernel.answer("language", {})}

    @property
    def profile_dir(self):
        return self.shell.profile_dir

    @property
    def shell_class(self):
        return type(self.shell)

    # ---- the request that runs
    def get_parent(self, channel=None):
        return kernel.get_parent(channel)

    def set_parent(self, ident, parent, channel="shell"):
        """The kernel knows what it answers."""

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

    # ---- input and output
    def raw_input(self, prompt=""):
        import builtins
        return builtins.input(str(prompt))

    def getpass(self, prompt="", stream=None):
        return kernel.getpass(prompt)

    def send_response(self, stream, msg_or_type, content=None, ident=None, buffers=None, track=False,
                      header=None, metadata=None, channel=None):
        """Publishes a message for the request that runs."""
        return self.session.send(stream, msg_or_type, content, ident=ident, buffers=buffers, header=header,
                                 metadata=metadata)

    # ---- questions, with the contents of their replies
    async def do_execute(self, code, silent, store_history=True, user_expressions=None, allow_stdin=False, *,
                         cell_meta=None, cell_id=None):
        """Runs code as a cell within the one that runs."""
        result = self.shell.run_cell(code, store_history, silent, cell_id=cell_id)
        error = result.error_before_exec or result.error_in_exec
        reply = {"status": "error" if error else "ok", "execution_count": self.execution_count,
                 "user_expressions": {}, "payload": []}
        if error:
            import traceback
            reply.update(ename=type(error).__name__, evalue=str(error),
                         traceback=traceback.format_exception(error))
        elif user_expressions:
            reply["user_expressions"] = self.shell.user_expressions(user_expressions)
        return reply

    def do_complete(self, code, cursor_pos=None):
        return kernel.answer("complete", {"code": code, "cursor_pos": len(code) if cursor_pos is None else cursor_pos})

    def do_inspect(self, code, cursor_pos=None, detail_level=0, omit_sections=()):
        return kernel.answer("inspect", {"code": code, "detail_level": detail_level,
                                         "cursor_pos": len(code) if cursor_pos is None else cursor_pos})

    def do_is_complete(self, code):
        return kernel.answer("is_complete", {"code": code})

    def do_history(self, hist_access_type, output, raw, session=0, start=0, stop=None, n=None, pattern=None,
                   unique=False):
        wanted = {"hist_access_type": hist_access_type, "output": output, "raw": raw, "session": session,
                  "start": start, "stop": stop, "n": n, "pattern": pattern, "unique": unique}
        return kernel.answer("history", {name: value for name, value in wanted.items() if value is not None})

    def do_shutdown(self, restart=False):
        kernel.state("exit")()(False)
        return {"status": "ok", "restart": restart}

    def do_clear(self):
        """Forgets the user's names."""
        self.shell.reset()

    # ---- the same as requests: stream, identities, message
    async def execute_request(self, stream, ident, parent):
        content = parent["content"]
        return await self.do_execute(content["code"], content.get("silent", False),
                                     content.get("store_history", True), content.get("user_expressions"))

    def complete_request(self, stream, ident, parent):
        return self.do_complete(parent["content"]["code"], parent["content"].get("cursor_pos"))

    def inspect_request(self, stream, ident, parent):
        content = parent["content"]
        return self.do_inspect(content["code"], content.get("cursor_pos"), content.get("detail_level", 0))

    def is_complete_request(self, stream, ident, parent):
        return self.do_is_complete(parent["content"]["code"])

    def history_request(self, stream, ident, parent):
        return self.do_history(**{"output": False, "raw": True, **parent["content"]})

    def kernel_info_request(self, stream, ident, parent):
        return {"status": "ok", **self.kernel_info}

    def comm_info_request(self, stream, ident, parent):
        target = parent["content"].get("target_name")
        return {"status": "ok", "comms": {name: {"target_name": comm.target_name}
                                          for name, comm in self.comm_manager.comms.items()
                                          if target in (None, comm.target_name)}}

    def connect_request(self, stream, ident, parent):
        return {"status": "ok", **{name: port for name, port in connection().items() if name.endswith("_port")}}

    def shutdown_request(self, stream, ident, parent):
        return self.do_shutdown(parent["content"].get("restart", False))

    def interrupt_request(self, stream, ident, parent):
        import _thread
        _thread.interrupt_main()
        return {"status": "ok"}

    def usage_request(self, stream, ident, parent):
        import os
        import resource
        import socket
        usage = resource.getrusage(resource.RUSAGE_SELF)
        return {"hostname": socket.gethostname(), "pid": os.getpid(),
                "kernel_memory": usage.ru_maxrss * 1024, "cpu_count": os.cpu_count()}

    def debug_request(self, stream, ident, parent):
        raise NotImplementedError("the debugger is reached over the control channel")

    def create_subshell_request(self, stream, ident, parent):
        raise NotImplementedError("subshells are made over the control channel")

    delete_subshell_request = create_subshell_request

    def list_subshell_request(self, stream, ident, parent):
        return kernel.answer("subshells", {})

    def start(self):
        """The kernel runs."""
