"""GRIDCELL_IPYTHON=real: cells run through the InteractiveShell of an installed IPython, with its own
magics, transformers, formatters and tracebacks; what it sends goes through this kernel's channels."""
import os
import sys

import _gridcell_kernel as kernel
from gridcell.ipython import profile
from gridcell.ipython.kernel_object import IPythonKernel
from IPython.core import page, payloadpage
from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell
from IPython.paths import get_ipython_dir
from traitlets import Type
from traitlets.config import Config


class ChannelDisplayHook(DisplayHook):
    """Results of cells, as messages."""

    def write_output_prompt(self):
        self._bundle = {}, {}

    def write_format_data(self, format_dict, md_dict=None):
        self._bundle = format_dict, md_dict or {}

    def finish_displayhook(self):
        sys.stdout.flush()
        sys.stderr.flush()
        data, metadata = self._bundle
        if data:
            kernel.publish("execute_result", {"data": data, "metadata": metadata,
                                              "execution_count": self.prompt_count})


class ChannelDisplayPublisher(DisplayPublisher):
    """Displays, as messages. Functions of register_hook see them first."""

    def publish(self, data, metadata=None, *, transient=None, update=False, **_):
        kernel.publish_display("update_display_data" if update else "display_data", data, metadata or {},
                               transient or {})

    def clear_output(self, wait=False):
        kernel.publish("clear_output", {"wait": bool(wait)})

    def register_hook(self, hook):
        kernel.state("display_hooks").append(hook)

    def unregister_hook(self, hook):
        hooks = kernel.state("display_hooks")
        if hook in hooks:
            hooks.remove(hook)
            return True
        return False


class ZMQInteractiveShell(InteractiveShell):
    """IPython's shell in this kernel."""

    displayhook_class = Type(ChannelDisplayHook)
    display_pub_class = Type(ChannelDisplayPublisher)
    _failure = _profile = None

    def init_history(self):
        """The kernel keeps the history across sessions; this one lives in memory."""
        super().init_history()
        self.history_manager.enabled = False

    def init_hooks(self):
        """Long texts go into the front end's pager."""
        super().init_hooks()
        self.set_hook("show_in_pager", page.as_hook(payloadpage.page), 99)

    def init_virtualenv(self):
        """The kernel runs in the environment already."""

    def enable_gui(self, gui=None):
        """Windows of GUI toolkits are not served; figures go into the notebook."""

    def system_piped(self, cmd):
        """Runs a shell command; its output goes to the notebook."""
        self.user_ns["_exit_code"] = _system(self.var_expand(cmd, depth=1))

    system = system_piped

    def set_next_input(self, s, replace=False):
        kernel.add_payload({"source": "set_next_input", "text": s, "replace": replace})

    def ask_exit(self):
        kernel.state("exit")()()

    parent_header = property(lambda self: kernel.get_parent())

    def get_parent(self):
        return kernel.get_parent()

    def _fire(self, event, *arguments):
        """IPython triggers its own events."""

    def _showtraceback(self, etype, evalue, stb):
        sys.stdout.flush()
        sys.stderr.flush()
        self._failure = {"ename": etype.__name__, "evalue": str(evalue), "traceback": list(stb)}
        kernel.publish("error", self._failure)

    def _begin(self):
        """Before the first cell: extensions, files and lines of the user's profile."""
        folder, config = self._profile
        self._profile = None
        profile.begin(folder, config, self, lambda line: self.run_cell(line, store_history=False))

    def _run(self, raw_cell, is_stored, is_silent):
        """The kernel calls this for every cell. None, or the reply's ename, evalue and traceback."""
        if self._profile:
            self._begin()
        self.execution_count = kernel.get_count()
        self._failure = None
        result = self.run_cell(raw_cell, store_history=is_stored, silent=is_silent)
        for payload in self.payload_manager.read_payload():
            kernel.add_payload(payload)
        self.payload_manager.clear_payload()
        error = result.error_before_exec or result.error_in_exec
        if error is None:
            return None
        return self._failure or {"ename": type(error).__name__, "evalue": str(error), "traceback": []}


_system = kernel.ShellBase().system
ZMQInteractiveShell.__module__ = "ipykernel.zmqshell"


def _as_config(settings):
    """traitlets' own kind of configuration; lists that are only appended to stay so."""
    config = Config()
    for owner, traits in settings.items():
        for trait, value in traits.items():
            if isinstance(value, profile.Later):
                getattr(config[owner], trait).extend(value)
            else:
                config[owner][trait] = value
    return config


def make_instance():
    """The one shell of the process."""
    space = kernel.state("user_ns")
    folder = os.path.join(get_ipython_dir(), "profile_default")
    settings = profile.read(folder)
    shell = ZMQInteractiveShell.instance(user_module=kernel.state("user_module"), user_ns=space,
                                         config=_as_config(settings))
    shell._profile = folder, settings
    shell.loop_runner = kernel.run_coroutine
    shell.config.merge(Config({"IPKernelApp": {"connection_file": kernel.connection_file() or ""}}))
    shell.kernel = IPythonKernel(shell)
    return shell
