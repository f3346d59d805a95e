"""JupyterLab as a person uses it: a server of its own on loopback, and notebooks in Chromium."""
import json
import os
import pathlib
import re
import secrets
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

from playwright.sync_api import expect

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PICTURES = ROOT / "artifacts/browser"
KERNEL = "Python (gridcell)"
WAIT_SECONDS = 40
_NUMBERED = re.compile(r"^\[\d+\]:$")

# No questions about news, and every cell in the page, also those that are scrolled away.
SETTINGS = {
    "@jupyterlab/completer-extension/inline-completer": {"providers": {
        "@jupyterlab/inline-completer:history": {"enabled": True, "timeout": 5000, "debouncerDelay": 0}}},
    "@jupyterlab/console-extension/tracker": {"interactionMode": "terminal"},
    "@jupyterlab/apputils-extension/notification": {
        "fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none", "recordTiming": True},
    "@jupyterlab/docmanager-extension/plugin": {"autosave": False},
}


def new_notebook(cells, **metadata):
    """A notebook without outputs; a cell is its source, or (source, tags)."""
    made = []
    for number, cell in enumerate(cells):
        source, tags = (cell, []) if isinstance(cell, str) else cell
        made.append({"cell_type": "code", "id": f"cell-{number}", "source": source, "outputs": [],
                     "execution_count": None, "metadata": {"tags": tags}})
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": metadata, "cells": made}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """JupyterLab's server, whose settings and files live in `folder`."""

    def __init__(self, folder):
        self.token = secrets.token_hex(16)
        self.url = f"http://127.0.0.1:{free_port()}"
        self.files = folder / "files"
        self.files.mkdir()
        self.log = folder / "server.log"
        self.write_settings(folder / "settings")
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command(), env=self.environment(folder),
                                            cwd=self.files, stdin=subprocess.DEVNULL, stdout=log,
                                            stderr=subprocess.STDOUT)

    @staticmethod
    def write_settings(folder):
        for name, content in SETTINGS.items():
            path = folder / f"{name}.jupyterlab-settings"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content))

    def command(self):
        unused = ["jupyter_lsp", "jupyter_server_terminals", "notebook_shim"]
        extensions = repr({name: False for name in unused})
        return [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
                "--ip=127.0.0.1", "--expose-app-in-browser", f"--port={self.url.rsplit(':', 1)[1]}",
                "--ServerApp.port_retries=0", f"--ServerApp.root_dir={self.files}",
                f"--ServerApp.jpserver_extensions={extensions}"]

    def environment(self, folder):
        env = {**os.environ, "JUPYTER_TOKEN": self.token,
               "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings"),
               "JUPYTERLAB_WORKSPACES_DIR": str(folder / "workspaces")}
        for name in ("CONFIG", "DATA", "RUNTIME"):
            env[f"JUPYTER_{name}_DIR"] = str(folder / name.lower())
        return env

    def wait_until_ready(self):
        limit = time.monotonic() + WAIT_SECONDS
        while True:
            try:
                urllib.request.urlopen(f"{self.url}/api?token={self.token}", timeout=5).close()
                return
            except (OSError, urllib.error.URLError):
                if self.process.poll() is not None or time.monotonic() > limit:
                    raise RuntimeError("JupyterLab did not start:\n"
                                       + self.log.read_text()) from None
                time.sleep(0.1)

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(15)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Cell:
    """One cell of an open notebook."""

    def __init__(self, notebook, number):
        self.notebook = notebook
        self.number = number
        self.element = notebook.panel.locator(".jp-Notebook .jp-Cell").nth(number)
        self.prompt = self.element.locator(".jp-InputArea-prompt")
        self.output = self.element.locator(".jp-OutputArea")
        self.editor = self.element.locator(".cm-content")

    def wait_until_run(self):
        """Waits until the cell's number stands where [*] stood."""
        expect(self.prompt).to_have_text(_NUMBERED)
        return self

    def picture(self, name):
        """Keeps a picture of the cell, as it looks when nothing is selected."""
        self.element.scroll_into_view_if_needed()
        self.element.screenshot(path=PICTURES / f"{name}.png", animations="disabled")

    def text(self):
        return self.output.inner_text()

    def streams(self, name):
        """What stands under the cell from a stream, as it looks after carriage returns."""
        kind = f"application/vnd.jupyter.{name}"
        return self.output.locator(f'[data-mime-type="{kind}"]').first.inner_text().rstrip()

    def result(self):
        return self.output.locator(".jp-OutputArea-executeResult .jp-OutputArea-output"
                                   ).inner_text()

    def expect_result(self, text):
        expect(self.output.locator(".jp-OutputArea-executeResult .jp-OutputArea-output")
               ).to_have_text(text)

    def sees_image(self, kind):
        """Waits for the one picture of this kind under the cell, whole and of some size."""
        image = self.output.locator(f'[data-mime-type="image/{kind}"] img')
        expect(image).to_have_count(1)
        assert image.evaluate("async image => { await image.decode(); return image.naturalWidth }"
                              ) > 100

    def edit(self, source):
        """Replaces the cell's source by typing, and leaves the cursor behind it."""
        self.editor.click()
        self.notebook.page.keyboard.press("Control+a")
        self.notebook.page.keyboard.press("Delete")
        self.notebook.page.keyboard.insert_text(source)

    def run(self, source=None):
        """Runs the cell, with another source if one is given, and does not wait for it."""
        if source is None:
            self.editor.click()
        else:
            self.edit(source)
        self.notebook.page.keyboard.press("Control+Enter")
        return self

    def interrupt_after(self, text):
        """Interrupts the cell, which goes on after it has shown the text."""
        expect(self.output).to_contain_text(text)
        expect(self.prompt).to_have_text("[*]:")
        self.notebook.toolbar("interrupt")
        self.wait_until_run()


class Notebook:
    """A notebook in a browser page of its own."""

    def __init__(self, context, server, name, content, height):
        (server.files / name).write_text(json.dumps(content))
        self.page = context.new_page()
        self.page.set_viewport_size({"width": 1200, "height": height})
        self.page.goto(f"{server.url}/lab/tree/{name}?token={server.token}&reset")
        self.panel = self.page.locator(".jp-NotebookPanel")
        self.dialog = self.page.locator(".jp-Dialog")
        self.name = name
        self.cell_count = len(content["cells"])

    def choose_kernel(self):
        """Answers JupyterLab's question which kernel to use."""
        self.dialog.locator("select").select_option(label=KERNEL)
        self.accept()
        self.wait_until_idle()

    def accept(self):
        self.dialog.locator(".jp-mod-accept").click()
        expect(self.dialog).to_have_count(0)

    def cell(self, number):
        return Cell(self, number)

    def cells(self):
        return [self.cell(number) for number in range(self.cell_count)]

    def wait_until_idle(self):
        expect(self.panel.locator('.jp-Notebook-ExecutionIndicator[data-status="idle"]')
               ).to_be_visible()

    def menu(self, menu, entry):
        bar = self.page.locator("#jp-MainMenu")
        bar.locator(".lm-MenuBar-item", has_text=menu).first.click()
        self.page.locator(".lm-Menu-item", has_text=entry).first.click()

    def choose_theme(self, name):
        self.page.evaluate("""async name => {
            const app = window.jupyterapp;
            await app.commands.execute("apputils:change-theme", {theme: name});
        }""", f"JupyterLab {name}")
        expect(self.page.locator("body")).to_have_attribute(
            "data-jp-theme-name", f"JupyterLab {name}")

    def toolbar(self, item):
        self.panel.locator(f'[data-jp-item-name="{item}"] jp-button').click()

    def picture(self, name):
        self.page.screenshot(path=PICTURES / f"{name}.png", animations="disabled")
