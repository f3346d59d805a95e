// SPDX-License-Identifier: MIT
// On a machine with an NVIDIA GPU: kernels compiled by each route to PTX are loaded by
// the driver, run, and give the right results; copies, streams, events and faults work.
// Exits 77 where there is no device.
#include <math.h>
#include <time.h>

#include "compiler/backends/gpu/nvptx/nvptx.h"
#include "compiler/backends/gpu/nvvm/nvvm.h"
#include "compiler/backends/gpu/module/ptx_module.h"
#include "compiler/ir/ir.h"
#include "runtime/cuda/cuda_device.h"
#include "tests/unit/gpu_cases.h"

typedef bool compile_route(LLVMModuleRef module, int cc,
        const struct ptx_options *options, struct str *ptx, struct error *err);

static struct device *device;
static const char *route_name;
static compile_route *route;
static int failures;

// Without libdevice or libclc there is no math on the device: that is no failure.
static void check(bool is_right, const char *what, const struct error *err)
{
    if (err && err->kind == ERROR_DEVICE_SUPPORT) {
        printf("skipped %s: %s: %s\n", route_name, what, err->message);
        return;
    }
    printf("%s %s: %s%s%s\n", is_right ? "ok" : "FAILED", route_name, what,
            err && err->kind ? ": " : "", err && err->kind ? err->message : "");
    failures += !is_right;
}

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

enum { MAX_PARAMS = 16 };

struct loaded {
    size_t param_count; // of the kernel
    struct str ptx;
    struct compiled compiled;
    struct device_kernel *kernel;
    double compile_ms, load_ms;
};

static size_t count_params(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (ptx_is_kernel(module, f))
            return LLVMCountParams(f);
    }
    return 0;
}

static bool compile_text(struct loaded *loaded, const char *ir, struct error *err)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = gpu_case_parse(context, ir);
    loaded->param_count = module ? count_params(module) : 0;
    struct ptx_options options = ptx_options_default();
    options.max_ptx_version = device->max_ptx_version;
    double start = now_ms();
    bool is_done =
            module && route(module, device->compute_major * 10 + device->compute_minor,
                              &options, &loaded->ptx, err);
    loaded->compile_ms = now_ms() - start;
    if (module)
        LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return is_done;
}

static struct gpu_case *read_case(const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/gpu_cases/%s.ll", TEST_DATA, name);
    return gpu_case_read(path);
}

// Compiles and loads a case whose kernel has its name.
static bool load_case(struct loaded *loaded, const char *name,
        const struct type *const *params, size_t param_count, struct error *err)
{
    struct gpu_case *gpu_case = read_case(name);
    struct ir_function *function = ir_function_create(name);
    function->params = (const struct type **)params;
    function->param_count = param_count;
    loaded->compiled = (struct compiled){
            .function = function, .target = TARGET_GPU, .ptx_entry = (char *)name};
    bool is_done = compile_text(loaded, str_text(&gpu_case->ir), err);
    loaded->compiled.ptx = loaded->ptx.text;
    double start = now_ms();
    is_done = is_done && device->operations->kernel_load(
                                 device, &loaded->compiled, &loaded->kernel, err);
    loaded->load_ms = now_ms() - start;
    gpu_case_destroy(gpu_case);
    return is_done;
}

static bool launch(
        struct loaded *loaded, int grid, int block, const void *args, struct error *err)
{
    struct launch_config config = {.grid_dim = {grid, 1, 1}, .block_dim = {block, 1, 1}};
    return device->operations->launch(device, loaded->kernel, &config, args, err);
}

static void unload(struct loaded *loaded)
{
    device->operations->kernel_unload(device, loaded->kernel);
    str_finish(&loaded->ptx);
}

static device_address upload(const void *bytes, size_t size, struct error *err)
{
    device_address address = 0;
    if (device->operations->memory_alloc(device, size, &address, err))
        device->operations->copy_to_device(device, address, bytes, size, NULL, err);
    return address;
}

static bool download(void *bytes, device_address address, size_t size, struct error *err)
{
    return device->operations->copy_to_host(device, bytes, address, size, NULL, err);
}

static void release(device_address address)
{
    struct error err = {0};
    device->operations->memory_free(device, address, &err);
}

static void test_vector_add(void)
{
    enum { COUNT = 1000003, BLOCK = 256 };
    const struct type *pointer = type_pointer(type_float64);
    const struct type *params[] = {pointer, pointer, pointer, type_int64};
    struct loaded loaded = {0};
    struct error err = {0};
    double *a = malloc(COUNT * 8), *b = malloc(COUNT * 8), *c = calloc(COUNT, 8);
    for (int i = 0; i < COUNT; i++)
        a[i] = i, b[i] = 2.5 * i;
    struct {
        device_address a, b, c;
        int64_t count;
    } args = {upload(a, COUNT * 8, &err), upload(b, COUNT * 8, &err),
            upload(c, COUNT * 8, &err), COUNT};
    bool is_done = load_case(&loaded, "vector_add", params, 4, &err) &&
                   launch(&loaded, (COUNT + BLOCK - 1) / BLOCK, BLOCK, &args, &err) &&
                   download(c, args.c, COUNT * 8, &err);
    for (int i = 0; is_done && i < COUNT; i++)
        is_done = c[i] == 3.5 * i;
    check(is_done, "vector_add gives the sums", &err);
    printf("   compile %.1f ms, load %.1f ms, PTX %d\n", loaded.compile_ms,
            loaded.load_ms, ptx_version(str_text(&loaded.ptx)));
    double start = now_ms();
    for (int i = 0; is_done && i < 1000; i++)
        is_done = launch(&loaded, 1, BLOCK, &args, &err);
    double launched = now_ms();
    device->operations->synchronize(device, &err);
    check(is_done && !err.kind, "a thousand launches", &err);
    printf("   %.2f us a launch\n", launched - start);
    unload(&loaded);
    release(args.a), release(args.b), release(args.c);
    free(a), free(b), free(c);
}

static void test_math(void)
{
    const struct type *params[] = {
            type_pointer(type_float64), type_pointer(type_float32)};
    struct loaded loaded = {0};
    struct error err = {0};
    double x = 0.75, wanted = copysign(rint(fma(sqrt(sin(exp(x))), fabs(x), 1.5)), x);
    float y = 3.25f, wanted_single = floorf(logf(powf(y, 2.5f)));
    struct {
        device_address x, y;
    } args = {upload(&x, sizeof x, &err), upload(&y, sizeof y, &err)};
    bool is_done = load_case(&loaded, "math", params, 2, &err) &&
                   launch(&loaded, 1, 1, &args, &err) &&
                   download(&x, args.x, sizeof x, &err) &&
                   download(&y, args.y, sizeof y, &err);
    check(is_done && x == wanted && y == wanted_single, "math functions", &err);
    unload(&loaded);
    release(args.x), release(args.y);
}

static void test_block_sum(void)
{
    const struct type *pointer = type_pointer(type_float32);
    const struct type *params[] = {pointer, pointer};
    struct loaded loaded = {0};
    struct error err = {0};
    float values[256], sum = 0;
    for (int i = 0; i < 256; i++)
        values[i] = (float)i;
    struct {
        device_address in, out;
    } args = {upload(values, sizeof values, &err), upload(&sum, sizeof sum, &err)};
    bool is_done = load_case(&loaded, "block_sum", params, 2, &err) &&
                   launch(&loaded, 3, 256, &args, &err) &&
                   download(&sum, args.out, sizeof sum, &err);
    check(is_done && sum == 3 * 255 * 128, "shared memory, barriers, atomics", &err);
    unload(&loaded);
    release(args.in), release(args.out);
}

// One branch of the kernel computes a NAND and a maximum, the other a minimum.
static void test_atomic_loops(void)
{
    const struct type *pointer = type_pointer(type_int32);
    const struct type *params[] = {
            pointer, pointer, type_int32, type_float32, type_float64, type_bool};
    struct loaded loaded = {0};
    struct error err = {0};
    double number = 8.0;
    float single = 1.5f;
    struct {
        device_address p, g;
        int64_t v;
        union {
            float f;
            int64_t bytes;
        } f;
        double d;
        int64_t c;
    } args = {upload(&number, sizeof number, &err), upload(&single, sizeof single, &err),
            0, {.f = 2.5f}, 4.0, 1};
    bool is_done = load_case(&loaded, "atomic_loops", params, 6, &err) &&
                   launch(&loaded, 1, 1, &args, &err) &&
                   download(&single, args.g, sizeof single, &err);
    check(is_done && single == 2.5f, "atomic maximum of a float", &err);
    unload(&loaded);
    release(args.p), release(args.g);
}

static void load_every_case(const struct gpu_case *gpu_case)
{
    struct loaded loaded = {0};
    struct error err = {0};
    char name[sizeof gpu_case->name];
    snprintf(name, sizeof name, "%s",
            strcmp(gpu_case->name, "names") == 0 ? "kernel_of_names_" : gpu_case->name);
    const struct type *params[MAX_PARAMS];
    for (int i = 0; i < MAX_PARAMS; i++)
        params[i] = type_int64;
    struct ir_function *function = ir_function_create(name);
    loaded.compiled = (struct compiled){
            .function = function, .target = TARGET_GPU, .ptx_entry = name};
    bool is_done = compile_text(&loaded, str_text(&gpu_case->ir), &err);
    loaded.compiled.ptx = loaded.ptx.text;
    function->params = params;
    function->param_count = loaded.param_count;
    is_done = is_done && device->operations->kernel_load(
                                 device, &loaded.compiled, &loaded.kernel, &err);
    check(is_done, gpu_case->name, &err);
    unload(&loaded);
}

static void test_streams_and_events(void)
{
    const struct device_operations *operations = device->operations;
    struct device_stream *stream = NULL;
    struct device_event *start = NULL, *end = NULL;
    struct error err = {0};
    enum { BYTES = 64 << 20 };
    device_address memory = 0;
    unsigned char last = 0;
    float elapsed_ms = 0;
    size_t free_bytes = 0, total_bytes = 0;
    bool is_finished = false;
    bool is_done =
            operations->stream_create(device, &stream, &err) &&
            operations->event_create(device, true, &start, &err) &&
            operations->event_create(device, true, &end, &err) &&
            operations->memory_alloc(device, BYTES, &memory, &err) &&
            operations->event_record(device, start, stream, &err) &&
            operations->memory_set(device, memory, 7, BYTES, stream, &err) &&
            operations->event_record(device, end, stream, &err) &&
            operations->event_wait(device, end, NULL, &err) &&
            operations->event_synchronize(device, end, &err) &&
            operations->stream_query(device, stream, &is_finished, &err) &&
            operations->event_elapsed_ms(device, start, end, &elapsed_ms, &err) &&
            operations->copy_to_host(device, &last, memory + BYTES - 1, 1, NULL, &err) &&
            operations->memory_info(device, &free_bytes, &total_bytes, &err);
    check(is_done && is_finished && last == 7 && elapsed_ms > 0, "streams and events",
            &err);
    check(free_bytes > 0 && free_bytes < total_bytes, "memory information", &err);
    release(memory);
    operations->event_destroy(device, start);
    operations->event_destroy(device, end);
    operations->stream_destroy(device, stream);
}

static void test_out_of_memory(void)
{
    struct error err = {0};
    device_address memory = 0;
    bool is_done =
            device->operations->memory_alloc(device, (size_t)1 << 46, &memory, &err);
    check(!is_done && err.code == DEVICE_ERROR_OUT_OF_MEMORY, "out of memory is reported",
            &err);
}

// Last: the context is lost afterwards.
static void test_fault(void)
{
    const struct type *pointer = type_pointer(type_float64);
    const struct type *params[] = {pointer, pointer, pointer, type_int64};
    struct loaded loaded = {0};
    struct error err = {0};
    struct {
        device_address a, b, c;
        int64_t count;
    } args = {16, 16, 16, 1};
    bool is_done = load_case(&loaded, "vector_add", params, 4, &err) &&
                   launch(&loaded, 1, 32, &args, &err) &&
                   device->operations->synchronize(device, &err);
    check(!is_done && err.code == DEVICE_ERROR_ILLEGAL_ADDRESS &&
                    strstr(err.message, "CUDA_ERROR_ILLEGAL_ADDRESS") &&
                    strstr(err.message, "vector_add"),
            "a fault names its kernel", &err);
}

static void test_route(const char *name, compile_route *compile_by)
{
    route_name = name;
    route = compile_by;
    test_vector_add();
    test_math();
    test_block_sum();
    test_atomic_loops();
    gpu_cases_each(load_every_case);
}

int main(void)
{
    struct error err = {0};
    size_t count = 0;
    types_init();
    if (!cuda_devices_open(&device, 1, &count, &err) || !count) {
        printf("skipped: %s\n",
                err.kind ? err.message : "no NVIDIA driver with a device");
        return 77;
    }
    printf("%s, %s, compute capability %d.%d, PTX up to %d\n", device->name, device->uuid,
            device->compute_major, device->compute_minor, device->max_ptx_version);
    if (nvvm_is_available(&err))
        test_route("nvvm", nvvm_compile);
    else
        printf("skipped nvvm: %s\n", err.message);
    test_route("nvptx", nvptx_compile);
    route_name = "device";
    test_streams_and_events();
    test_out_of_memory();
    test_fault();
    printf("%d failed\n", failures);
    return failures != 0;
}
