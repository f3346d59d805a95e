"""The functions of a cubin by the driver's own interface: what nvcc made, launched and timed as the others are."""
import ctypes

import numpy as np

EVENT_DEFAULT = 0


class Driver:
    """The calls of libcuda, on the device's own context; a call that fails raises."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self.cuInit(0)
        self.cuDeviceGet(ctypes.byref(device), 0)
        self.cuDevicePrimaryCtxRetain(ctypes.byref(context), device)
        self.cuCtxSetCurrent(context)

    def __getattr__(self, name):
        function = getattr(self.library, name)

        def checked(*arguments):
            status = function(*arguments)
            if status:
                raise RuntimeError(f"{name} answered {status}")
        return checked


class Memory:
    """A copy of a host array on the device, with a second that it can be restored from."""

    def __init__(self, driver, host):
        self.driver, self.host = driver, host
        self.whole = host if host.flags.c_contiguous else host.base
        self.pointers = [ctypes.c_uint64(), ctypes.c_uint64()]
        for pointer in self.pointers:
            driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(self.whole.nbytes))
            driver.cuMemcpyHtoD_v2(pointer, self.whole.ctypes.data_as(ctypes.c_void_p),
                                   ctypes.c_size_t(self.whole.nbytes))

    def restore(self):
        self.driver.cuMemcpyDtoDAsync_v2(*self.pointers, ctypes.c_size_t(self.whole.nbytes), None)

    def to_host(self):
        found = np.empty_like(self.whole)
        self.driver.cuMemcpyDtoH_v2(found.ctypes.data_as(ctypes.c_void_p), self.pointers[0],
                                    ctypes.c_size_t(found.nbytes))
        return found

    def free(self):
        for pointer in self.pointers:
            self.driver.cuMemFree_v2(pointer)


class Native:
    """A contender of worker.py."""

    def __init__(self, cubins):
        self.driver, self.cubins, self.modules = Driver(), cubins, {}
        self.hold_function = self.function("hold", "hold")
        self.events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in self.events:
            self.driver.cuEventCreate(ctypes.byref(event), EVENT_DEFAULT)

    def function(self, theme, name):
        if theme not in self.modules:
            self.modules[theme] = ctypes.c_void_p()
            image = (self.cubins / f"{theme}.cubin").read_bytes()
            self.driver.cuModuleLoadData(ctypes.byref(self.modules[theme]), image)
        function = ctypes.c_void_p()
        self.driver.cuModuleGetFunction(ctypes.byref(function), self.modules[theme], name.encode())
        return function

    def prepare(self, case):
        return self.function(case.theme, case.name)

    def upload(self, arguments):
        return [Memory(self.driver, value) if isinstance(value, np.ndarray) else value for value in arguments]

    def restore(self, uploaded):
        for value in uploaded:
            if isinstance(value, Memory):
                value.restore()

    def free(self, uploaded):
        for value in uploaded:
            if isinstance(value, Memory):
                value.free()

    def download(self, value):
        return value.to_host()

    def launch(self, function, geometry, values, is_cooperative=False):
        grid, block, shared = geometry
        pointers = (ctypes.c_void_p * len(values))(*(ctypes.cast(ctypes.byref(value), ctypes.c_void_p)
                                                     for value in values))
        ends = () if is_cooperative else (None,)
        call = self.driver.cuLaunchCooperativeKernel if is_cooperative else self.driver.cuLaunchKernel
        call(function, *grid, *block, shared, None, pointers, *ends)

    def bind(self, case, function, size, uploaded):
        """What launches the case's function on these arguments."""
        hosts = [value.host if isinstance(value, Memory) else value for value in uploaded]
        pointers = {id(value.host): value.pointers[0] for value in uploaded if isinstance(value, Memory)}
        values = [pointers[id(value)] if id(value) in pointers else np.ctypeslib.as_ctypes(np.array(value)[None])
                  for value in case.native(*hosts)]
        geometry = case.geometry(size)
        return lambda: self.launch(function, geometry, values, case.is_cooperative)

    def hold(self, steps):
        self.launch(self.hold_function, ((1, 1, 1), (1, 1, 1), 0), [ctypes.c_int(steps)])

    def record(self, which):
        self.driver.cuEventRecord(self.events[which], None)

    def elapsed_seconds(self):
        milliseconds = ctypes.c_float()
        self.driver.cuEventSynchronize(self.events[1])
        self.driver.cuEventElapsedTime(ctypes.byref(milliseconds), *self.events)
        return milliseconds.value / 1e3

    def synchronize(self):
        self.driver.cuCtxSynchronize()

    def ptx(self, function):
        return None
