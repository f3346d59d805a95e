// SPDX-License-Identifier: MIT
// What the kernel takes of each GPU, by NVIDIA's management library where there is one.
// It is loaded when a front end first asks, on a thread of its own: it may take a second.
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "kernel/process/signals.h"
#include "kernel/process/usage.h"

enum { MOST_DEVICES = 64, MOST_PROCESSES = 128, NAME_SIZE = 96 };

// As nvml.h has them; 0 is success everywhere.
struct nvml_memory {
    unsigned long long total, free, used;
};

struct nvml_utilization {
    unsigned gpu, memory;
};

struct nvml_process {
    unsigned pid;
    unsigned long long used;
    unsigned instance, compute_instance;
};

typedef struct nvml_device *nvml_device_t;

static struct nvml {
    int (*start)(void);
    int (*count_devices)(unsigned *count);
    int (*find_device)(unsigned index, nvml_device_t *device);
    int (*name)(nvml_device_t device, char *name, unsigned size);
    int (*memory)(nvml_device_t device, struct nvml_memory *memory);
    int (*utilization)(nvml_device_t device, struct nvml_utilization *rates);
    int (*processes)(
            nvml_device_t device, unsigned *count, struct nvml_process *processes);
    unsigned device_count;
    nvml_device_t devices[MOST_DEVICES];
} nvml; // written by the thread, then only read

static atomic_bool is_ready;

static bool find_functions(void *library)
{
    const struct {
        const char *name;
        void *slot;
    } functions[] = {
            {"nvmlInit_v2", &nvml.start},
            {"nvmlDeviceGetCount_v2", &nvml.count_devices},
            {"nvmlDeviceGetHandleByIndex_v2", &nvml.find_device},
            {"nvmlDeviceGetName", &nvml.name},
            {"nvmlDeviceGetMemoryInfo", &nvml.memory},
            {"nvmlDeviceGetUtilizationRates", &nvml.utilization},
            {"nvmlDeviceGetComputeRunningProcesses_v3", &nvml.processes},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void **slot = functions[i].slot;
        *slot = dlsym(library, functions[i].name);
        if (!*slot)
            return false;
    }
    return true;
}

static void *load(void *unused)
{
    (void)unused;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library || !find_functions(library) || nvml.start() ||
            nvml.count_devices(&nvml.device_count))
        return NULL;
    if (nvml.device_count > MOST_DEVICES)
        nvml.device_count = MOST_DEVICES;
    for (unsigned i = 0; i < nvml.device_count; i++) {
        if (nvml.find_device(i, &nvml.devices[i]))
            nvml.devices[i] = NULL;
    }
    atomic_store(&is_ready, true);
    return NULL;
}

static void begin_to_load(void)
{
    pthread_t thread;
    sigset_t before;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    signals_block_all();
    if (!pthread_create(&thread, NULL, load, NULL))
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// Null where the driver does not know us, as in a container with process numbers of its
// own.
static json_t *kernel_memory(nvml_device_t device)
{
    struct nvml_process processes[MOST_PROCESSES];
    unsigned count = MOST_PROCESSES;
    if (nvml.processes(device, &count, processes))
        return json_null();
    for (unsigned i = 0; i < count; i++) {
        if (processes[i].pid == (unsigned)getpid() && processes[i].used != ~0ULL)
            return json_integer((json_int_t)processes[i].used);
    }
    return json_null();
}

static json_t *describe(unsigned index)
{
    char name[NAME_SIZE] = "";
    struct nvml_memory memory = {0};
    struct nvml_utilization rates = {0};
    nvml_device_t device = nvml.devices[index];
    if (nvml.name(device, name, sizeof name) || nvml.memory(device, &memory))
        return NULL;
    bool has_rates = !nvml.utilization(device, &rates);
    return json_pack("{s:i, s:s, s:o, s:I, s:I, s:o}", "index", (int)index, "name", name,
            "mem_used_by_kernel", kernel_memory(device), "mem_used",
            (json_int_t)memory.used, "mem_total", (json_int_t)memory.total, "util",
            has_rates ? json_integer(rates.gpu) : json_null());
}

json_t *usage_gpus(void)
{
    static bool has_begun; // I/O thread
    json_t *list = json_array();
    if (!has_begun)
        begin_to_load();
    has_begun = true;
    for (unsigned i = 0; atomic_load(&is_ready) && i < nvml.device_count; i++) {
        json_t *device = nvml.devices[i] ? describe(i) : NULL;
        if (device)
            json_array_append_new(list, device);
    }
    return list;
}
