// SPDX-License-Identifier: MIT
// usage_reply: processor time and memory of the kernel and its host, out of /proc.
#include "kernel/usage.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "kernel/kernel.h"

// The first value after `field` in a /proc file of "Name:  123 kB" lines, in bytes; -1:
// none.
static long long proc_bytes(const char *path, const char *field)
{
    char line[256];
    long long kibibytes = -1;
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    while (kibibytes < 0 && fgets(line, sizeof line, file)) {
        size_t len = strlen(field);
        if (!strncmp(line, field, len) && line[len] == ':')
            sscanf(line + len + 1, "%lld", &kibibytes);
    }
    fclose(file);
    return kibibytes < 0 ? -1 : kibibytes * 1024;
}

static long long kernel_memory(void)
{
    long long proportional = proc_bytes("/proc/self/smaps_rollup", "Pss");
    return proportional >= 0 ? proportional : proc_bytes("/proc/self/status", "VmRSS");
}

// Per cent of one processor since the last call; 0 at the first.
static double kernel_cpu(void)
{
    static double last_cpu, last_wall; // I/O thread
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    double cpu = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
    double wall = (double)clock_ms() / 1e3, percent = 0;
    if (last_wall > 0 && wall > last_wall)
        percent = 100 * (cpu - last_cpu) / (wall - last_wall);
    last_cpu = cpu;
    last_wall = wall;
    return percent;
}

// Per cent of all processors since the last call; 0 at the first.
static double host_cpu(void)
{
    static double last_total, last_idle; // I/O thread
    double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0,
           steal = 0;
    FILE *file = fopen("/proc/stat", "re");
    if (!file)
        return 0;
    int count = fscanf(file, "cpu %lf %lf %lf %lf %lf %lf %lf %lf", &user, &nice, &system,
            &idle, &wait, &irq, &soft, &steal);
    fclose(file);
    double total = user + nice + system + idle + wait + irq + soft + steal, percent = 0;
    if (count < 4)
        return 0;
    if (last_total > 0 && total > last_total)
        percent = 100 * (1 - (idle + wait - last_idle) / (total - last_total));
    last_total = total;
    last_idle = idle + wait;
    return percent;
}

static json_t *host_memory(void)
{
    static const char *const fields[][2] = {{"total", "MemTotal"},
            {"available", "MemAvailable"}, {"free", "MemFree"}, {"active", "Active"},
            {"inactive", "Inactive"}, {"buffers", "Buffers"}, {"cached", "Cached"},
            {"shared", "Shmem"}, {"slab", "Slab"}};
    json_t *memory = json_object();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        long long bytes = proc_bytes("/proc/meminfo", fields[i][1]);
        json_object_set_new(memory, fields[i][0], json_integer(bytes < 0 ? 0 : bytes));
    }
    double total = (double)json_integer_value(json_object_get(memory, "total"));
    double available = (double)json_integer_value(json_object_get(memory, "available"));
    json_object_set_new(memory, "used", json_integer((json_int_t)(total - available)));
    json_object_set_new(memory, "percent",
            json_real(total > 0 ? 100 * (total - available) / total : 0));
    return memory;
}

// A number in a file of its own; -1: none, or "max".
static long long file_number(const char *path)
{
    long long number = -1;
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    if (fscanf(file, "%lld", &number) != 1)
        number = -1;
    fclose(file);
    return number;
}

long long usage_available_bytes(void)
{
    long long available = proc_bytes("/proc/meminfo", "MemAvailable");
    long long most = file_number("/sys/fs/cgroup/memory.max");
    long long used = file_number("/sys/fs/cgroup/memory.current");
    long long left = most > used ? most - used : 0;
    return most >= 0 && used >= 0 && left < available ? left : available;
}

json_t *usage_content(void)
{
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return json_pack("{s:s, s:s, s:i, s:f, s:I, s:f, s:i, s:o}", "status", "ok",
            "hostname", host, "pid", (int)getpid(), "kernel_cpu", kernel_cpu(),
            "kernel_memory", (json_int_t)kernel_memory(), "host_cpu_percent", host_cpu(),
            "cpu_count", (int)sysconf(_SC_NPROCESSORS_ONLN), "host_virtual_memory",
            host_memory());
}
