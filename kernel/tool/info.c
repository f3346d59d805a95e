// SPDX-License-Identifier: MIT
// `gridcell info`: versions, and what the package finds on this machine.
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "kernel/tool/ask_python.h"
#include "kernel/tool/commands.h"

// Prints one JSON object: what could not be found out is an `error` text.
static const char question[] =
        "import json, sys\n"
        "answer = {'python': sys.version.split()[0], 'executable': sys.executable}\n"
        "try:\n"
        "    import numpy\n"
        "    answer['numpy'] = numpy.__version__\n"
        "except Exception as error:\n"
        "    answer['numpy'] = None\n"
        "try:\n"
        "    import gridcell\n"
        "    answer['package'] = gridcell.__file__\n"
        "    answer.update(gridcell.info())\n"
        "except Exception as error:\n"
        "    answer['error'] = f'{type(error).__name__}: {error}'\n"
        "print(json.dumps(answer, default=str))\n";

static void print_value(const char *name, const json_t *value, int depth);

static void print_items(const json_t *value, int depth)
{
    const char *name;
    json_t *item;
    size_t i;
    json_object_foreach((json_t *)value, name, item) print_value(name, item, depth);
    json_array_foreach(value, i, item) print_value("-", item, depth);
}

static void print_value(const char *name, const json_t *value, int depth)
{
    bool is_nested = json_is_object(value) || json_is_array(value);
    char *text = is_nested || json_is_string(value) ? NULL
                                                    : json_dumps(value, JSON_ENCODE_ANY);
    const char *shown = json_is_string(value) ? json_string_value(value) : text;
    if (json_is_null(value))
        shown = "not found";
    if (is_nested && !json_object_size(value) && !json_array_size(value))
        shown = "none";
    printf("%*s%-*s %s\n", 2 * depth, "", 18 - 2 * depth, name, shown ? shown : "");
    free(text);
    if (is_nested)
        print_items(value, depth + 1);
}

int command_info(int argc, char **argv)
{
    bool as_json = false;
    const char *given = NULL, *value;
    struct str python = {0}, answer = {0}, failure = {0};
    for (int i = 0; i < argc; i++) {
        if (!strcmp(argv[i], "--json"))
            as_json = true;
        else if ((value = option_value(argc, argv, &i, "--python")))
            given = value;
        else
            return refuse_argument("info", argv[i]);
    }
    ask_choose_python(&python, given);
    ask_add_package_path();
    char *const command[] = {(char *)str_text(&python), "-c", (char *)question, NULL};
    ask_program(command, false, &answer, &failure);
    json_t *info = json_pack("{s:s}", "gridcell", GRIDCELL_VERSION);
    json_t *found = json_loads(str_text(&answer), 0, NULL);
    if (found)
        json_object_update(info, found);
    else
        json_object_set_new(info, "error",
                json_string(failure.len ? str_text(&failure)
                                        : "Python's answer is not JSON"));
    if (as_json) {
        json_dumpf(info, stdout, JSON_INDENT(2));
        putchar('\n');
    } else {
        print_items(info, 0);
    }
    json_decref(found);
    json_decref(info);
    str_finish(&python);
    str_finish(&answer);
    str_finish(&failure);
    return 0;
}
