"""The peer's own tests, imported over gridcell: what is numba's inside alone becomes a stand-in, and stops nothing.

A module of tests imports parts of numba's compiler beside what it tests. Each statement of such a module runs on its
own here: a name that gridcell refuses is Missing, and only the test that uses it fails, by NotOurs. Tests of a class
that cannot be made are counted as lost, not left out.
"""
import __future__
import ast
import importlib
import importlib.machinery
import importlib.util
import pathlib


class NotOurs(BaseException):
    """Raised where a test uses a part of numba's compiler; no `except Exception` of a test hides it."""


class Missing:
    """Stands for a name of numba's compiler."""

    def __init__(self, path):
        self.__dict__["_path"] = path

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Missing(f"{self._path}.{name}")

    def __mro_entries__(self, bases):
        return ()

    def __repr__(self):
        return f"<{self._path}, which gridcell does not have>"

    def _refuse(self, *args, **keywords):
        raise NotOurs(f"{self._path} is numba's own")

    __call__ = __getitem__ = __iter__ = __len__ = __contains__ = __enter__ = __instancecheck__ = _refuse


def fetch(module, name=None):
    """What `from module import name` (or `import module`) gives, or a stand-in."""
    try:
        found = importlib.import_module(module)
    except ImportError:
        found = Missing(module)
    if name is None:
        return found
    try:
        return getattr(found, name)
    except (AttributeError, ImportError):
        pass
    try:
        return importlib.import_module(f"{module}.{name}")
    except ImportError:
        return Missing(f"{module}.{name}")


class Rewriter(ast.NodeTransformer):
    """`from numba.a import b` becomes `b = _fetch("numba.a", "b")`."""

    @staticmethod
    def assign(node, name, *path):
        value = ast.Call(ast.Name("_fetch", ast.Load()), [ast.Constant(part) for part in path], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node))

    def visit_ImportFrom(self, node):
        if node.level or (node.module or "").split(".")[0] != "numba" or node.names[0].name == "*":
            return node
        return [self.assign(node, alias.asname or alias.name, node.module, alias.name) for alias in node.names]

    def visit_Import(self, node):
        if len(node.names) > 1 or not node.names[0].asname or node.names[0].name.split(".")[0] != "numba":
            return node
        return self.assign(node, node.names[0].asname, node.names[0].name)


def names_bound(statement):
    """The names that a statement would bind, if it ran."""
    if isinstance(statement, (ast.ClassDef, ast.FunctionDef)):
        return [statement.name]
    found = []
    for node in ast.walk(statement):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            found += [alias.asname or alias.name.split(".")[0] for alias in node.names]
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.append(node.id)
        elif isinstance(node, (ast.ClassDef, ast.FunctionDef)):
            found.append(node.name)
    return found


class Loader(importlib.machinery.SourceFileLoader):
    """Runs a module's statements one by one; module._lost is [(test's name, reason)]."""

    def exec_module(self, module):
        source = self.get_data(self.path)
        tree = ast.parse(source, self.path)
        module._fetch, module._lost = fetch, []
        flags = 0
        for statement in tree.body:
            if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
                for alias in statement.names:
                    flags |= getattr(__future__, alias.name).compiler_flag
        for statement in Rewriter().visit(tree).body:
            code = compile(ast.Module([statement], []), self.path, "exec", flags, dont_inherit=True)
            try:
                exec(code, module.__dict__)
            except (Exception, NotOurs) as error:
                if isinstance(error, ModuleNotFoundError) and not (error.name or "").startswith("numba"):
                    raise
                self.lose(module, statement, f"{type(error).__name__}: {error}")

    @staticmethod
    def lose(module, statement, reason):
        for name in names_bound(statement):
            if name not in module.__dict__:
                setattr(module, name, Missing(f"{module.__name__}.{name}"))
        if isinstance(statement, ast.ClassDef):
            module._lost += [(f"{statement.name}.{part.name}", reason) for part in statement.body
                             if isinstance(part, ast.FunctionDef) and part.name.startswith("test")]


class Finder:
    """Finds the tests, and what runs them, in the folder of the peer's package."""

    def __init__(self, places):
        self.places = places  # dotted name -> file or folder

    def find_spec(self, name, path=None, target=None):
        for root, place in self.places.items():
            if name != root and not name.startswith(root + "."):
                continue
            base = pathlib.Path(place, *name[len(root):].split("."))
            if (base / "__init__.py").is_file():
                file = str(base / "__init__.py")
                return importlib.util.spec_from_file_location(name, file, loader=Loader(name, file),
                                                              submodule_search_locations=[str(base)])
            file = str(base) + ".py"
            if pathlib.Path(file).is_file():
                return importlib.util.spec_from_file_location(name, file, loader=Loader(name, file))
        return None


def harness_of_cuda():
    """What the peer's own base of its tests asks of its driver and settings before any of them runs."""
    from numba.core import config
    from numba.cuda.cudadrv import driver, libs

    def none_of_these(*args, **keywords):
        raise FileNotFoundError("the emulated device links no library of NVIDIA's")
    driver._have_nvjitlink, libs.get_cudalib, config.CUDA_DEBUG_POLY = (lambda: False), none_of_these, 0


def install(peer, package="numba"):
    """Let `package.tests` be those of the peer's package, a folder. gridcell's finder stays in front, and asks this one."""
    from gridcell import hook
    parts = ("tests", "testing", "runtests") if package == "numba" else ("tests", "testing")
    ours = Finder({f"{package}.{part}": str(pathlib.Path(peer, part)) for part in parts})
    theirs = hook.Finder.__dict__["find_spec"].__func__

    def find_spec(cls, name, path=None, target=None):
        return ours.find_spec(name) or theirs(cls, name, path, target)
    hook.Finder.find_spec = classmethod(find_spec)
    if package == "numba.cuda":
        harness_of_cuda()
