// SPDX-License-Identifier: MIT
// The devices of this process, chosen once by the environment.
#include "runtime/device/device.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static struct {
    pthread_mutex_t lock;
    bool is_ready; // guarded by lock; once set, the rest does not change
    struct device *devices[MAX_DEVICES];
    size_t count;
    char *fallback; // why the emulated device stands in; NULL: it does not
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value && strcmp(value, "0") != 0;
}

// As many as GRIDCELL_EMULATOR_DEVICES says, by default one.
static void use_emulator(const struct device_kinds *kinds)
{
    const char *text = getenv("GRIDCELL_EMULATOR_DEVICES");
    long asked = text ? strtol(text, NULL, 10) : 1;
    registry.count = asked < 1 ? 1 : asked > MAX_DEVICES ? MAX_DEVICES : (size_t)asked;
    for (size_t i = 0; i < registry.count; i++)
        registry.devices[i] = kinds->create_emulated((int)i);
}

// numba's words
static const char no_driver[] =
        "Error at driver init: \n\nCUDA driver library cannot be found.\n"
        "If you are sure that a CUDA driver is installed,\n"
        "try setting environment variable NUMBA_CUDA_DRIVER\n"
        "with the file path of the CUDA driver shared library.\n:";

static bool use_cuda(const struct device_kinds *kinds, struct error *err)
{
    if (is_set("NUMBA_DISABLE_CUDA"))
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE,
                "CUDA is disabled due to setting NUMBA_DISABLE_CUDA=1 in the "
                "environment, or "
                "because CUDA is unsupported on 32-bit systems.");
    size_t count = 0;
    if (!kinds->open_cuda(registry.devices, MAX_DEVICES, &count, err))
        return false;
    registry.count = count;
    if (!count)
        return error_set(err, ERROR_DEVICE_SUPPORT, SPAN_NONE, "%s", no_driver);
    return true;
}

// The CUDA devices where there are any; else the emulated one, and a line that says so.
static void use_what_there_is(const struct device_kinds *kinds)
{
    struct error err = {0};
    if (use_cuda(kinds, &err))
        return;
    if (!strcmp(err.message, no_driver))
        snprintf(err.message, sizeof err.message, "no NVIDIA driver with a device");
    err.message[strcspn(err.message, "\n")] = '\0';
    fprintf(stderr,
            "gridcell: no CUDA device found (%s); kernels run on the emulated device "
            "(CPU)\n",
            err.message);
    registry.fallback = memory_strdup(err.message);
    use_emulator(kinds);
}

static bool choose(const struct device_kinds *kinds, struct error *err)
{
    const char *choice = getenv("GRIDCELL_DEVICE");
    if (!choice || !*choice)
        choice = is_set("NUMBA_ENABLE_CUDASIM") ? "emulator" : "auto";
    if (!strcmp(choice, "emulator"))
        use_emulator(kinds);
    else if (!strcmp(choice, "cuda"))
        return use_cuda(kinds, err);
    else if (!strcmp(choice, "auto"))
        use_what_there_is(kinds);
    else
        return error_set(err, ERROR_VALUE, SPAN_NONE,
                "GRIDCELL_DEVICE is \"%s\"; it can be auto, cuda or emulator", choice);
    return true;
}

bool devices_init(const struct device_kinds *kinds, struct error *err)
{
    pthread_mutex_lock(&registry.lock);
    if (!registry.is_ready)
        registry.is_ready = choose(kinds, err);
    bool is_ready = registry.is_ready;
    pthread_mutex_unlock(&registry.lock);
    return is_ready;
}

const char *devices_fallback(void)
{
    return registry.fallback;
}

size_t device_count(void)
{
    return registry.count;
}

struct device *device_borrowed(size_t id)
{
    return id < registry.count ? registry.devices[id] : NULL;
}
