// SPDX-License-Identifier: MIT
// usage_reply: processor time and memory of the kernel with its children, and of its
// host, out of /proc.
#include "kernel/process/usage.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

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

// ---- the kernel and the processes that it started

struct tree {
    long long memory; // bytes
    double cpu;       // seconds, of those that ended and were waited for, too
};

static double ticks_per_second(void)
{
    return (double)sysconf(_SC_CLK_TCK);
}

// user, system and those of children from /proc/PID/stat, whose second field, a name in
// parentheses, may hold anything.
static double process_cpu(long pid)
{
    char path[64], text[1024];
    long long user = 0, system = 0, children_user = 0, children_system = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t len = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[len] = '\0';
    const char *rest = strrchr(text, ')');
    if (!rest || sscanf(rest + 1,
                         " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld %lld "
                         "%lld",
                         &user, &system, &children_user, &children_system) != 4)
        return 0;
    return (double)(user + system + children_user + children_system) / ticks_per_second();
}

static long long process_memory(long pid)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/smaps_rollup", pid);
    long long proportional = proc_bytes(path, "Pss");
    snprintf(path, sizeof path, "/proc/%ld/status", pid);
    long long bytes = proportional >= 0 ? proportional : proc_bytes(path, "VmRSS");
    return bytes < 0 ? 0 : bytes;
}

static void add_process(struct tree *tree, long pid, int depth);

// A child belongs to the thread that started it.
static void add_children(struct tree *tree, long pid, int depth)
{
    char path[320];
    long child;
    snprintf(path, sizeof path, "/proc/%ld/task", pid);
    DIR *threads = opendir(path);
    struct dirent *thread;
    while (threads && (thread = readdir(threads))) {
        if (thread->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "/proc/%ld/task/%s/children", pid, thread->d_name);
        FILE *file = fopen(path, "re");
        while (file && fscanf(file, "%ld", &child) == 1)
            add_process(tree, child, depth + 1);
        if (file)
            fclose(file);
    }
    if (threads)
        closedir(threads);
}

static void add_process(struct tree *tree, long pid, int depth)
{
    enum { DEEPEST = 16 };
    tree->memory += process_memory(pid);
    tree->cpu += process_cpu(pid);
    if (depth < DEEPEST)
        add_children(tree, pid, depth);
}

// ---- rates since the last reply, or since the start; I/O thread

static double last_cpu, last_wall, last_total, last_idle;

static double wall_seconds(void)
{
    return (double)clock_ms() / 1e3;
}

// Per cent of one processor.
static double kernel_cpu(double cpu)
{
    double wall = wall_seconds(), percent = 0;
    if (wall > last_wall && cpu > last_cpu)
        percent = 100 * (cpu - last_cpu) / (wall - last_wall);
    last_cpu = cpu;
    last_wall = wall;
    return percent;
}

// Per cent of all processors.
static double host_cpu(void)
{
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
    if (total > last_total)
        percent = 100 * (1 - (idle + wait - last_idle) / (total - last_total));
    last_total = total;
    last_idle = idle + wait;
    return percent < 0 ? 0 : percent;
}

void usage_begin(void)
{
    last_wall = wall_seconds();
    host_cpu();
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
    struct tree tree = {0};
    add_process(&tree, getpid(), 0);
    return json_pack("{s:s, s:s, s:i, s:f, s:I, s:f, s:i, s:o, s:o}", "status", "ok",
            "hostname", host, "pid", (int)getpid(), "kernel_cpu", kernel_cpu(tree.cpu),
            "kernel_memory", (json_int_t)tree.memory, "host_cpu_percent", host_cpu(),
            "cpu_count", (int)sysconf(_SC_NPROCESSORS_ONLN), "host_virtual_memory",
            host_memory(), "gpu", usage_gpus());
}
