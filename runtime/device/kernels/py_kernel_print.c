// SPDX-License-Identifier: MIT
// print() in kernels of the emulated device. They run without the GIL, on several
// threads: their lines are collected during the launch and written to sys.stdout at its
// end, as a GPU's are at the next synchronisation.
#include <pthread.h>

#include "base/str.h"
#include "runtime/device/kernels/py_kernel.h"
#include "runtime/host/dispatch/py_dispatch.h"

enum { MAX_KEPT_BYTES = 16 << 20 };

static struct {
    pthread_mutex_t lock;
    int launches;    // guarded by lock
    struct str text; // guarded by lock
} output = {.lock = PTHREAD_MUTEX_INITIALIZER};

// Whether a launch runs; its output takes the line unless there is too much of it.
static bool keep(const char *text, size_t len, bool *is_kept)
{
    pthread_mutex_lock(&output.lock);
    bool is_launching = output.launches > 0;
    *is_kept = is_launching && output.text.len + len <= MAX_KEPT_BYTES;
    if (*is_kept)
        str_append_bytes(&output.text, text, len);
    pthread_mutex_unlock(&output.lock);
    return is_launching;
}

// While a kernel runs, who holds the GIL may wait for the device: nothing here waits for
// the GIL then.
void kernel_print_line(const char *text, size_t len)
{
    bool is_kept = false;
    if (PyGILState_Check())
        py_print_line(text, len);
    else if (!keep(text, len, &is_kept))
        py_print_waiting(text, len);
    else if (!is_kept)
        py_print_line(text, len);
}

// The text of an array, which NumPy makes: with the GIL, but for kernels, as above.
char *kernel_array_text(
        const struct type *item, const struct abi_array *array, int ndim, bool is_repr)
{
    pthread_mutex_lock(&output.lock);
    bool is_launching = output.launches > 0;
    pthread_mutex_unlock(&output.lock);
    return is_launching ? py_array_text(item, array, ndim, is_repr)
                        : py_array_text_waiting(item, array, ndim, is_repr);
}

void kernel_print_begin(void)
{
    pthread_mutex_lock(&output.lock);
    output.launches++;
    pthread_mutex_unlock(&output.lock);
}

bool kernel_print_end(void)
{
    struct str text = {0};
    pthread_mutex_lock(&output.lock);
    output.launches--;
    if (output.text.len) {
        text = output.text;
        output.text = (struct str){0};
    }
    pthread_mutex_unlock(&output.lock);
    if (!text.len)
        return true;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    PyObject *stream = py_import_attr("sys", "stdout");
    PyObject *string = PyUnicode_DecodeUTF8(text.text, (Py_ssize_t)text.len, "replace");
    PyObject *done =
            stream && string ? PyObject_CallMethod(stream, "write", "O", string) : NULL;
    bool is_written = done != NULL;
    Py_XDECREF(stream);
    Py_XDECREF(string);
    Py_XDECREF(done);
    str_finish(&text);
    if (type)
        PyErr_Restore(type, value, traceback);
    return is_written;
}
