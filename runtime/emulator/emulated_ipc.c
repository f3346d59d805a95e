// SPDX-License-Identifier: MIT
// Memory of the emulated device that several processes use: files without a name, which
// another process of the same user opens through /proc. They go with the last that has
// them open, however it ends.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/emulator/emulator.h"

// What a handle holds; the rest is zero.
struct handle {
    char magic[8];
    int32_t process, fd;
    uint64_t inode, size_bytes;
};

static const char MAGIC[8] = "gridcel";

static bool map_file(int fd, size_t size_bytes, device_address *address, const char *call,
        struct error *err)
{
    void *start = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (start == MAP_FAILED)
        return emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY, call);
    *address = (device_address)(uintptr_t)start;
    return true;
}

bool emulated_memory_alloc_shared(struct emulated_memory *memory, size_t size_bytes,
        device_address *address, struct error *err)
{
    size_t rounded = (size_bytes + 4095) & ~(size_t)4095;
    if (!rounded)
        rounded = 4096;
    device_address mapped = 0;
    int fd = memfd_create("gridcell-device-memory", MFD_CLOEXEC);
    if (fd < 0 || rounded < size_bytes || ftruncate(fd, (off_t)rounded) ||
            !map_file(fd, rounded, &mapped, "cuMemAlloc", err)) {
        if (fd >= 0)
            close(fd);
        return emulated_error(err, DEVICE_ERROR_OUT_OF_MEMORY, "cuMemAlloc");
    }
    if (!emulated_memory_adopt(memory, mapped, rounded, fd, err))
        return false;
    *address = mapped;
    return true;
}

bool emulated_ipc_export(struct emulated_memory *memory, device_address address,
        unsigned char bytes[IPC_HANDLE_BYTES], struct error *err)
{
    struct handle handle = {.process = (int32_t)getpid()};
    size_t size = 0;
    struct stat status;
    handle.fd = emulated_memory_file(memory, address, &size);
    if (handle.fd < 0 || fstat(handle.fd, &status))
        return emulated_error(err, DEVICE_ERROR_INVALID_VALUE, "cuIpcGetMemHandle");
    memcpy(handle.magic, MAGIC, sizeof MAGIC);
    handle.size_bytes = size;
    handle.inode = status.st_ino;
    memset(bytes, 0, IPC_HANDLE_BYTES);
    memcpy(bytes, &handle, sizeof handle);
    return true;
}

bool emulated_ipc_open(struct emulated_memory *memory,
        const unsigned char bytes[IPC_HANDLE_BYTES], device_address *address,
        struct error *err)
{
    static const char call[] = "cuIpcOpenMemHandle";
    struct handle handle;
    char path[64];
    struct stat status;
    memcpy(&handle, bytes, sizeof handle);
    if (memcmp(handle.magic, MAGIC, sizeof MAGIC) != 0 || handle.size_bytes == 0)
        return emulated_error(err, DEVICE_ERROR_INVALID_VALUE, call);
    if (handle.process == (int32_t)getpid()) // as a GPU's driver has it
        return emulated_error(err, DEVICE_ERROR_INVALID_CONTEXT, call);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", handle.process, handle.fd);
    int fd = open(path, O_RDWR | O_CLOEXEC);
    bool is_same = fd >= 0 && !fstat(fd, &status) && status.st_ino == handle.inode &&
                   (uint64_t)status.st_size == handle.size_bytes;
    device_address mapped = 0;
    bool is_done = is_same ? map_file(fd, handle.size_bytes, &mapped, call, err)
                           : emulated_error(err, DEVICE_ERROR_INVALID_VALUE, call);
    if (fd >= 0)
        close(fd);
    if (!is_done || !emulated_memory_adopt(memory, mapped, handle.size_bytes, -1, err))
        return false;
    *address = mapped;
    return true;
}

bool emulated_ipc_close(
        struct emulated_memory *memory, device_address address, struct error *err)
{
    return emulated_memory_free(memory, address, err);
}
