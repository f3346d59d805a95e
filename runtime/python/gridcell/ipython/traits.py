"""What traitlets' classes offer, for objects whose settings are plain attributes."""
import sys


_NOT_OURS = "_gridcell_kernel", "traitlets"


class Change(dict):
    """What observers are told: name, old, new, owner, type."""

    __getattr__ = dict.__getitem__


class Trait:
    """What traits() and trait_metadata() tell of a setting."""

    def __init__(self, owner, name, value):
        self.this_class, self.name, self.default_value, self.metadata = owner, name, value, {}
        self.help, self.read_only = "", False

    def __repr__(self):
        return f"<{type(self.default_value).__name__} setting {self.name}>"


def _is_setting(name, value):
    return not name.startswith("_") and not callable(value) and not isinstance(value, (property, Trait))


class _Plain:
    """What Configurable derives from while traitlets isn't in use."""


class Configurable(_Plain):
    """Settings that can be listed, set by name and watched."""

    parent = None
    _observers = None

    def __init__(self):
        """Nothing is read from a configuration, as traitlets' would."""

    def __setattr__(self, name, value):
        if not self._observers:
            object.__setattr__(self, name, value)
            return
        old = getattr(self, name, None)
        object.__setattr__(self, name, value)
        if old is not value and (type(old) is not type(value) or old != value):
            self.notify_change(Change(name=name, old=old, new=value, owner=self, type="change"))

    @property
    def log(self):
        import logging
        return logging.getLogger("gridcell")

    @property
    def config(self):
        import _gridcell_kernel as kernel
        return kernel.get_ipython().config

    # ---- which settings there are
    @classmethod
    def class_traits(cls, **metadata):
        found = {}
        for base in reversed(cls.__mro__):
            if base not in (object, Configurable) and base.__module__.partition(".")[0] not in _NOT_OURS:
                found.update((name, Trait(cls, name, value)) for name, value in vars(base).items()
                             if _is_setting(name, value) and not isinstance(value, (classmethod, staticmethod)))
        return found

    @classmethod
    def class_trait_names(cls, **metadata):
        return list(cls.class_traits(**metadata))

    def traits(self, **metadata):
        return {**self.class_traits(), **{name: Trait(type(self), name, value)
                                          for name, value in vars(self).items() if _is_setting(name, value)}}

    def trait_names(self, **metadata):
        return list(self.traits(**metadata))

    def has_trait(self, name):
        return name in self.traits()

    trait_has_value = has_trait

    def trait_values(self, **metadata):
        return {name: getattr(self, name) for name in self.traits(**metadata)}

    def trait_defaults(self, *names, **metadata):
        values = {name: trait.default_value for name, trait in self.class_traits().items()}
        return values[names[0]] if len(names) == 1 else {name: values[name] for name in names or values}

    def trait_metadata(self, traitname, key, default=None):
        if not self.has_trait(traitname):
            raise KeyError(f"Class {type(self).__name__} does not have a trait named {traitname}")
        return self.traits()[traitname].metadata.get(key, default)

    def set_trait(self, name, value):
        if not self.has_trait(name):
            raise AttributeError(f"Class {type(self).__name__} does not have a trait named {name}")
        setattr(self, name, value)

    def add_traits(self, **traits):
        for name, trait in traits.items():
            setattr(self, name, getattr(trait, "default_value", None))

    def update_config(self, config):
        """Takes the sections of a configuration that are about this object's class."""
        for base in reversed(type(self).__mro__):
            for name, value in (config.get(base.__name__) or {}).items():
                setattr(self, name, value)

    # ---- who watches them
    def observe(self, handler, names=None, type="change"):
        """Calls `handler(change)` when one of the settings, or any, is set to another value."""
        names = [names] if isinstance(names, str) or names is None else names
        if self._observers is None:
            self.__dict__["_observers"] = {}
        for name in names:
            handlers = self._observers.setdefault(_key(name), [])
            if handler not in handlers:
                handlers.append(handler)

    def unobserve(self, handler, names=None, type="change"):
        names = [names] if isinstance(names, str) or names is None else names
        for name in names:
            handlers = (self._observers or {}).get(_key(name), [])
            if handler in handlers:
                handlers.remove(handler)

    def unobserve_all(self, name=None):
        if self._observers and name is not None:
            self._observers.pop(_key(name), None)
        elif self._observers:
            self._observers.clear()

    def on_trait_change(self, handler=None, name=None, remove=False):
        """The older spelling: `handler(name, old, new)` with as many of these as it takes."""
        import inspect
        if remove:
            for handlers in (self._observers or {}).values():
                handlers[:] = [each for each in handlers if getattr(each, "wrapped", None) is not handler]
            return
        count = len(inspect.signature(handler).parameters)

        def call(change):
            handler(*{0: (), 1: (change.name,), 2: (change.name, change.new)}.get(
                count, (change.name, change.old, change.new)))
        call.wrapped = handler
        self.observe(call, name)

    def notify_change(self, change):
        observers = self._observers or {}
        for handler in [*observers.get(change["name"], ()), *observers.get(None, ())]:
            handler(change)


def join(module):
    """Makes the classes here traitlets' own, too: extensions give the shell to theirs as the parent, which is checked.

    What the classes here define goes before what they inherit.
    """
    Configurable.__bases__ = module.LoggingConfigurable,


def _key(name):
    """traitlets.All stands for every setting, as None does."""
    return name if isinstance(name, str) else None


if "traitlets.config.configurable" in sys.modules:
    join(sys.modules["traitlets.config.configurable"])
