"""The part of each library's own tests that touches numba, with numba and with gridcell: tests/libraries/run --tests.

suites/suites.toml says which. gridcell runs them first; numba, which takes longer, then begins with those that gridcell
failed, and takes as many of the others as the limit of time allows. What passes with numba and fails with gridcell is a
defect of ours. A process that a test brings down is started again without that test.
"""
import glob
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).resolve().parent / "suites"
SIDES = "gridcell", "numba"
HEAD = "## Tests of their own"


class Suite:
    """A table of suites.toml."""

    def __init__(self, name, table):
        self.name, self.part, self.paths = name, table["part"], table["paths"]
        self.archive, self.keep = table["from"] == "sdist", table.get("keep", [])
        self.packages = [name, *table.get("needs", ())]
        self.variables = table.get("variables", {})
        self.options = ["-k", table["select"]] if "select" in table else []
        self.helpers = table.get("helpers", {})

    def lay_out(self, python, version, folder):
        """The folder below which `paths` lie."""
        if not self.archive:
            return pathlib.Path(subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                                               check=True, capture_output=True, text=True).stdout.strip())
        top = folder / f"{self.name}-{version}"
        if not top.exists():
            subprocess.run([python, "-m", "pip", "download", "--quiet", "--no-binary", self.name, "--no-deps", "--dest", folder,
                            f"{self.name}=={version}"], check=True)
            archive = next(folder.glob(f"{self.name.replace('-', '[-_]')}-{version}.tar.gz"))
            with tarfile.open(archive) as file:
                wanted = [member for member in file.getmembers() if self.keeps(member)]
                for member in wanted:
                    member.name = str(pathlib.Path(*pathlib.Path(member.name).parts[1:]))
                file.extractall(top, members=wanted, filter="data")
        for name, text in self.helpers.items():
            (top / name).write_text(text)
        return top

    def keeps(self, member):
        parts = pathlib.Path(member.name).parts[1:]
        return bool(parts) and parts[0] in self.keep


class Side:
    """What a side makes of a suite: outcomes of tests by their names."""

    def __init__(self, name, python, build, log):
        self.name, self.python, self.build, self.log = name, python, build, log
        self.outcomes, self.reasons = {}, {}

    def run(self, suite, top, limit, first=()):
        """Until all have been run, or the limit is reached. Of names in `first` these alone are run, in that order."""
        end = time.monotonic() + limit
        with tempfile.TemporaryDirectory() as folder:
            while time.monotonic() < end:
                asked = [f"only {name}" for name in first if name not in self.outcomes] or \
                    [f"not {name}" for name in self.outcomes]
                if first and asked[0].startswith("not"):
                    return
                if not self.start(suite, top, pathlib.Path(folder), asked, end):
                    return

    def start(self, suite, top, folder, asked, end):
        """Whether the process fell, so that another must go on."""
        (folder / "order").write_text("\n".join(asked) + "\n")
        (folder / "outcomes").write_text("")
        files = [path for pattern in suite.paths for path in sorted(glob.glob(str(top / pattern)))]
        command = [self.python, "-m", "pytest", "-q", "-p", "outcomes", "-o", f"cache_dir={folder / 'pytest'}",
                   "-c", os.devnull, "--rootdir", top, "-W", "ignore", "--tb=short", "--continue-on-collection-errors",
                   *suite.options, *files]
        package = self.build / "python"  # and what Python programs that a test starts run first
        paths = [HERE] + ([package / "gridcell" / "children", package] if self.name == "gridcell" else [])
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, paths)), "SUITE_SIDE": self.name,
                       "SUITE_OUTCOMES": str(folder / "outcomes"), "SUITE_ORDER": str(folder / "order"),
                       "NUMBA_CACHE_DIR": str(folder / "numba"), "GRIDCELL_CACHE_DIR": str(folder / "gridcell"),
                       "GRIDCELL_DEVICE": "emulator", **suite.variables}
        with open(self.log, "a") as log:
            process = subprocess.Popen(list(map(str, command)), stdout=log, stderr=log, env=environment, cwd=top)
            try:
                process.wait(max(end - time.monotonic(), 1))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        began = self.read(folder / "outcomes")
        if process.returncode in (0, 1, 2, 5) or time.monotonic() >= end:
            return False
        if began is None:
            sys.exit(f"tests/libraries/run: pytest ends with {process.returncode} and runs no test: {self.log}")
        self.outcomes[began], self.reasons[began] = "failed", f"the process ends with {process.returncode}"
        return True

    def read(self, path):
        """Takes what a process wrote down; the test that had begun and not ended."""
        began = None
        for line in path.read_text().splitlines():
            word, name, why = line.split("\t", 2)
            if word == "begins":
                began = name
                continue
            began = None
            if self.outcomes.get(name) != "failed":
                self.outcomes[name], self.reasons[name] = word, why
        return began

    def count(self, word):
        return sum(outcome == word for outcome in self.outcomes.values())


def try_suite(suite, python, version, args):
    """(the page's row, the names of the tests that fail with gridcell alone)"""
    folder = python.parent.parent / "suites"
    folder.mkdir(exist_ok=True)
    top = suite.lay_out(python, version, folder)
    sides = {}
    for name in SIDES:
        log = folder / f"{suite.name}.{name}.txt"
        log.unlink(missing_ok=True)
        sides[name] = Side(name, python, args.build, log)
    ours, theirs = sides["gridcell"], sides["numba"]
    ours.run(suite, top, args.limit)
    failed = [name for name, outcome in ours.outcomes.items() if outcome in ("failed", "slow")]
    if failed:
        theirs.run(suite, top, args.limit, failed)
    passed = [name for name, outcome in ours.outcomes.items() if outcome == "passed"]
    theirs.run(suite, top, args.limit if args.others is None else args.others, passed)
    alone = [name for name in failed if theirs.outcomes.get(name) == "passed"]
    for name in alone:
        print(f"    {name}: {ours.reasons[name]}", flush=True)
    both = sum(theirs.outcomes.get(name) in ("failed", "slow") for name in failed)
    tried = sum(name in theirs.outcomes for name in passed)
    cells = [suite.name, version, suite.part, ours.count("passed"), tried,
             sum(theirs.outcomes.get(name) == "passed" for name in passed), both, len(alone)]
    return "| " + " | ".join(map(str, cells)) + " |", alone


def every_suite():
    with open(HERE / "suites.toml", "rb") as file:
        return {name: Suite(name, table) for name, table in tomllib.load(file).items()}
