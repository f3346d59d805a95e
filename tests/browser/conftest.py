"""One JupyterLab server and one Chromium for the whole suite; pictures of what failed."""
import shutil

import pytest
from lab import PICTURES, WAIT_SECONDS, Notebook, Server
from playwright.sync_api import expect, sync_playwright

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    running = Server(tmp_path_factory.mktemp("jupyterlab"))
    try:
        running.wait_until_ready()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="session")
def chromium():
    if not CHROMIUM:
        pytest.skip("chromium is not installed (scripts/setup installs it where apt-get is)")
    expect.set_options(timeout=WAIT_SECONDS * 1000)
    with sync_playwright() as driver:
        # a container's root has no sandbox; the shared memory of a container may be small
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=[
            "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def open_notebook(chromium, server):
    """Opens notebooks with our kernel, in a browser window that is closed after the module."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    context = chromium.new_context()
    context.set_default_timeout(WAIT_SECONDS * 1000)

    def open_one(name, content, height=600):
        notebook = Notebook(context, server, name, content, height)
        notebook.choose_kernel()
        return notebook

    yield open_one
    context.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    report = (yield).get_result()
    notebook = getattr(item, "funcargs", {}).get("notebook")
    if report.failed and notebook is not None:
        notebook.picture(f"failed-{item.name}")
