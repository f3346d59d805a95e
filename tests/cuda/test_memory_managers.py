"""Memory managers, deferred frees, pools."""
import gc

import child
from common import cuda, equal, np, raises
from numba.cuda.cudadrv import driver


class Manager(cuda.GetIpcHandleMixin, cuda.HostOnlyCUDAMemoryManager):
    """Counts what it gives out."""
    live = {}
    calls = []
    interface_version = 1

    def initialize(self):
        self.calls.append("initialize")

    def memalloc(self, size):
        memory = driver.NumbaCUDAMemoryManager(context=self.context).memalloc(size)
        address = memory.device_pointer_value
        self.live[address] = size

        def finalizer():
            del self.live[address]
            memory.free()

        return cuda.MemoryPointer(self.context, memory.device_pointer, size, finalizer=finalizer)

    def get_memory_info(self):
        return cuda.MemoryInfo(free=32, total=64)

    def reset(self):
        super().reset()
        self.calls.append("reset")


class Refusing(Manager):
    def memalloc(self, size):
        raise driver.CudaAPIError(2, "nothing left")


def with_manager(cls):
    def decorate(test):
        def run():
            Manager.calls.clear()
            cuda.set_memory_manager(cls)
            try:
                test()
            finally:
                cuda.set_memory_manager(driver.NumbaCUDAMemoryManager)
        run.__name__ = test.__name__
        return run
    return decorate


@with_manager(Manager)
def test_arrays_get_their_memory_from_the_manager():
    gc.collect()
    Manager.live.clear()
    context = cuda.current_context()
    assert context.get_memory_info() == (32, 64) and type(context.memory_manager) is Manager
    a = cuda.to_device(np.arange(100))
    part = a[3:]
    assert list(Manager.live.values()) == [800] and a.gpu_data.size == 800
    b = a + 1
    assert sorted(Manager.live.values()) == [800, 800]
    equal(b, np.arange(100) + 1)
    del a, b
    assert list(Manager.live.values()) == [800]
    equal(part, np.arange(3, 100))
    del part
    assert Manager.live == {} and Manager.calls == ["initialize"]
    assert cuda.pinned_array(3).shape == (3,) and cuda.mapped_array(3).shape == (3,)
    context.reset()
    equal(cuda.to_device(np.ones(2)), np.ones(2))
    assert Manager.calls == ["initialize", "reset", "initialize"]


@with_manager(Refusing)
def test_what_a_manager_raises_arrives():
    with raises(driver.CudaAPIError, "[2] nothing left"):
        cuda.device_array(3)
    assert cuda.device_array(0).size == 0


def test_managers_that_do_not_fit():
    class Newer(Manager):
        interface_version = 2

    class Wrong(Manager):
        def memalloc(self, size):
            return 12345

    with raises(RuntimeError, "EMM Plugin interface has version 2 - version 1 required"):
        cuda.set_memory_manager(Newer)
    with raises(TypeError):
        cuda.set_memory_manager(cuda.HostOnlyCUDAMemoryManager)
    with raises(RuntimeError, "Memory manager requires a context"):
        Manager()
    with_manager(Wrong)(check_wrong)()


def check_wrong():
    with raises(TypeError, "has to return a MemoryPointer, not 12345"):
        cuda.device_array(3)


def test_the_environment_names_a_manager():
    source = '''
import types
module = types.ModuleType("my_manager")

class Manager(cuda.GetIpcHandleMixin, cuda.HostOnlyCUDAMemoryManager):
    interface_version = 1

    def initialize(self):
        pass

    def memalloc(self, size):
        print("memalloc", size)
        return cuda.cudadrv.driver.NumbaCUDAMemoryManager(context=self.context).memalloc(size)

    def get_memory_info(self):
        return cuda.MemoryInfo(1, 2)

if {has_manager}:
    module._numba_memory_manager = Manager
sys.modules["my_manager"] = module
with {expectation}:
    cuda.to_device(np.arange(3))
'''
    assert child.run(source.format(has_manager=True, expectation="contextlib.nullcontext()"),
                     NUMBA_CUDA_MEMORY_MANAGER="my_manager") == "memalloc 24\n"
    child.run(source.format(has_manager=False, expectation='raises(RuntimeError, "_numba_memory_manager")'),
              NUMBA_CUDA_MEMORY_MANAGER="my_manager")
    child.run("cuda.to_device(np.arange(3))", NUMBA_CUDA_MEMORY_MANAGER="default")


def test_frees_are_deferred():
    context = cuda.current_context()
    context.synchronize()
    keep = cuda.device_array(1 << 16, np.uint8)
    start = context.get_memory_info().free
    with cuda.defer_cleanup():
        with context.defer_cleanup():
            a = cuda.to_device(np.zeros(1 << 16, np.uint8))
            del a
            assert len(context.deallocations) == 1 and context.deallocations.is_locked
        assert len(context.deallocations) == 1
        seen = []
        context.deallocations.add_item(seen.append, 5)
        context.deallocations.clear()
        assert seen == []
    assert seen == [5] and len(context.deallocations) == 0 and not context.deallocations.is_locked
    cuda.synchronize()
    assert context.get_memory_info().free == start
    del keep


def test_pools_are_trimmed():
    context = cuda.current_context()
    a = cuda.device_array(8 << 20, np.uint8)
    context.synchronize()
    before = context.get_memory_info()
    del a
    context.synchronize()
    assert context.get_memory_info().free == before.free + (8 << 20)
    context.trim_memory()
    context.trim_memory(keep_bytes=1 << 20)
    assert context.get_memory_info().free >= before.free
    with raises(OverflowError):
        context.trim_memory(-1)


def test_cycles_give_way_to_what_is_asked_for():
    total = cuda.current_context().get_memory_info().total
    with raises(driver.CudaAPIError, "OUT_OF_MEMORY"):
        cuda.device_array(total + 1, np.uint8)
    for _ in range(3):
        cycle = [cuda.device_array(1 << 20, np.uint8)]
        cycle.append(cycle)
    del cycle
    equal(cuda.to_device(np.ones(3)), np.ones(3))


def test_memory_pointers():
    context = cuda.current_context()
    memory = context.memalloc(64)
    assert memory.size == 64 and memory.device_pointer.value == memory.device_pointer_value
    assert memory.context is context and memory.owner is None and memory.own() is memory
    memory.memset(7)
    part = memory.view(8, 16)
    assert part.size == 8 and part.device_pointer_value == memory.device_pointer_value + 8
    part.memset(1, 4)
    array = cuda.from_cuda_array_interface(
        {"shape": (64,), "typestr": "|u1", "version": 3, "data": (memory.device_pointer_value, False)}, memory)
    equal(array[6:14], np.array([7, 7, 1, 1, 1, 1, 7, 7], np.uint8))
    with raises(RuntimeError, "does not lie in memory of 64 bytes"):
        memory.view(60, 70)
    with raises(ValueError, "more than the memory's 64"):
        memory.memset(0, 65)
    called = []
    mine = cuda.MemoryPointer(context, memory.device_pointer, 64, owner=memory, finalizer=lambda: called.append(1))
    del mine
    assert called == [1]
    memory.free()
    with raises(RuntimeError, "Freeing dead memory"):
        memory.free()
    with raises(driver.CudaAPIError, "its memory has been freed"):
        memory.device_pointer
    with raises(ValueError):
        context.memalloc(-1)
    with raises(TypeError, "a pointer has to be an int"):
        cuda.MemoryPointer(context, "here", 3)
