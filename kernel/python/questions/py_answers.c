// SPDX-License-Identifier: MIT
// Questions of front ends that Python code asks: get_ipython().kernel.do_inspect() and
// its like get the content of the reply that a front end would.
#include "kernel/python/state/py_state.h"

#include <string.h>

#include "kernel/history/history.h"
#include "kernel/interface/front_end.h"
#include "kernel/python/questions/py_questions.h"
#include "kernel/python/state/py_text.h"

static json_t *about_language(json_t *content)
{
    return interp_language_info();
}

static json_t *list_subshells(json_t *content)
{
    return json_pack("{ss so}", "status", "ok", "subshell_id", front_end_subshells());
}

static json_t *look_into_history(json_t *content)
{
    json_t *rows;
    Py_BEGIN_ALLOW_THREADS;
    rows = history_answer(content);
    Py_END_ALLOW_THREADS;
    return json_pack("{ss so}", "status", "ok", "history", rows);
}

static const struct question {
    const char *name;
    json_t *(*answer)(json_t *content);
} questions[] = {
        {"complete", complete_request},
        {"inspect", introspect_page},
        {"is_complete", introspect_completeness},
        {"history", look_into_history},
        {"language", about_language},
        {"subshells", list_subshells},
};

PyObject *answers_give(PyObject *self, PyObject *args)
{
    const char *name;
    PyObject *object;
    if (!PyArg_ParseTuple(args, "sO!", &name, &PyDict_Type, &object))
        return NULL;
    const struct question *question = NULL;
    for (size_t i = 0; !question && i < sizeof questions / sizeof *questions; i++)
        if (!strcmp(questions[i].name, name))
            question = &questions[i];
    if (!question)
        return PyErr_Format(PyExc_KeyError, "%s", name);
    json_t *content = py_to_json(object);
    if (!content)
        return NULL;
    json_t *reply = question->answer(content);
    PyObject *result = py_from_json(reply);
    json_decref(reply);
    json_decref(content);
    return result;
}
