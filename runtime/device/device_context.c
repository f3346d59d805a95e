// SPDX-License-Identifier: MIT
// Contexts of a device by their number: what is left of those that have ended.
#include "runtime/device/device.h"

void device_context_ended(struct device *device, enum context_end why)
{
    atomic_store(&device->last_end, (int)why);
    atomic_fetch_add(&device->generation, 1);
    for (size_t i = 0; i < MAX_DEVICES; i++)
        atomic_store(&device->peers[i], 0);
}

void device_peer_enabled(struct device *device, struct device *peer)
{
    atomic_store(&device->peers[peer->id], atomic_load(&peer->generation) + 1);
}

bool device_reaches(struct device *device, struct device *peer)
{
    return device == peer ||
           atomic_load(&device->peers[peer->id]) == atomic_load(&peer->generation) + 1;
}

bool device_check_generation(
        struct device *device, uint64_t generation, const char *what, struct error *err)
{
    static const char *const ends[] = {[CONTEXT_IS_OPEN] = "has ended",
            [CONTEXT_RESET] = "was reset",
            [CONTEXT_CLOSED] = "was closed",
            [CONTEXT_LOST] = "was lost by a kernel's fault"};
    uint64_t present = atomic_load_explicit(&device->generation, memory_order_relaxed);
    if (generation == present)
        return true;
    bool is_latest = generation + 1 == present;
    error_set(err, ERROR_DEVICE, SPAN_NONE,
            "%s was made in a context of device %d that %s, and cannot be used any more; "
            "make it anew",
            what, device->id, ends[is_latest ? atomic_load(&device->last_end) : 0]);
    err->code = DEVICE_ERROR_CONTEXT_ENDED;
    return false;
}

bool device_free_waits(struct device *device, bool is_shared)
{
    return is_shared || atomic_load(&device->has_foreign_streams);
}

bool device_free(struct device *device, device_address address, uint64_t generation,
        bool is_shared, struct error *err)
{
    const struct device_operations *operations = device->operations;
    if (generation == atomic_load(&device->generation) &&
            device_free_waits(device, is_shared))
        device_wait_idle(device);
    if (generation == atomic_load(&device->generation))
        return is_shared ? operations->memory_free_shared(device, address, err)
                         : operations->memory_free(device, address, err);
    if (operations->forget && address)
        operations->forget(
                device, is_shared ? RESOURCE_MEMORY : RESOURCE_POOL_MEMORY, address);
    return true;
}
