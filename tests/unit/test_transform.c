// SPDX-License-Identifier: MIT
// Cells to Python source: each pair is a cell and what CPython compiles.
#include "tests/unit/test.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/cells/transform.h"

static bool knows_magic(const char *name, void *data)
{
    return !strcmp(name, "ls") || !strcmp(name, "cd") || !strcmp(name, "pip");
}

static bool is_function(const char *name, bool has_rest, void *data)
{
    return has_rest && !strcmp(name, "call_me");
}

static const struct transform_options options = {knows_magic, is_function, NULL};

static const char *const cells_and_python[][2] = {
        {"1 + 1", "1 + 1"},
        {"", ""},
        {"%time f(x)", "get_ipython().run_line_magic('time', 'f(x)')"},
        {"%time f('a')\n", "get_ipython().run_line_magic('time', \"f('a')\")\n"},
        {"x = %timeit -o pass", "x = get_ipython().run_line_magic('timeit', '-o pass')"},
        {"!ls -l", "get_ipython().system('ls -l')"},
        {"!!ls", "get_ipython().getoutput('ls')"},
        {"files = !ls *.py\n", "files = get_ipython().getoutput('ls *.py')\n"},
        {"for i in x:\n    !echo {i}\n",
                "for i in x:\n    get_ipython().system('echo {i}')\n"},
        {"/f a b", "f(a, b)"},
        {",f a b\n", "f('a', 'b')\n"},
        {";f a b", "f('a b')"},
        {"x\n/f a", "x\nf(a)"},
        {"x = (1\n/ 2)", "x = (1\n/ 2)"},
        {"call_me 1, 2", "call_me(1, 2)\n"},
        {"call_me = 3", "call_me = 3"},
        {"call_me in x", "call_me in x"},
        {"call_me", "call_me"},
        {"call_me - 1", "call_me - 1"},
        {"other 1", "other 1"},
        {"a = (1\n%b)", "a = (1\n%b)"},
        {"s = '''\n%time x\n!ls\n'''", "s = '''\n%time x\n!ls\n'''"},
        {"x = 7 % 3", "x = 7 % 3"},
        {"a != b", "a != b"},
        {"'100%' # !x ?", "'100%' # !x ?"},
        {"len?", "get_ipython().run_line_magic('pinfo', 'len')"},
        {"np.zeros??", "get_ipython().run_line_magic('pinfo2', 'np.zeros')"},
        {"?len", "get_ipython().run_line_magic('pinfo', 'len')"},
        {"np.*zer*?", "get_ipython().run_line_magic('psearch', 'np.*zer*')"},
        {"%time?", "get_ipython().run_line_magic('pinfo', '%time')"},
        {"!a \\\n  b\nx", "get_ipython().system('a b')\n\nx"},
        {"%%time\nx = 1\nx",
                "get_ipython().run_cell_magic('time', '', 'x = 1\\nx\\n')\n"},
        {"\n%%timeit -n 10 a=1\nb",
                "\nget_ipython().run_cell_magic('timeit', '-n 10 a=1', 'b\\n')\n"},
        {"%%writefile a.py\nprint('x')\n%x\n", "get_ipython().run_cell_magic('writefile',"
                                               " 'a.py', \"print('x')\\n%x\\n\")\n"},
        {">>> a = 1\n>>> a\n", "a = 1\na\n"},
        {"In [3]: a = 1\n   ...: b = 2", "a = 1\nb = 2"},
        {"    a = 1\n    if a:\n        b\n", "a = 1\nif a:\n    b\n"},
        {"ls -l", "get_ipython().run_line_magic('ls', '-l')\n"},
        {"cd ..", "get_ipython().run_line_magic('cd', '..')\n"},
        {"pip install 'a>1'", "get_ipython().run_line_magic('pip', \"install 'a>1'\")\n"},
        {"ls = 3", "ls = 3"},
        {"ls\nx", "ls\nx"},
        {"exit", "exit()\n"},
        {"x = 'it''s' # !no\n!yes", "x = 'it''s' # !no\nget_ipython().system('yes')"},
        {"d = {'a':\n  !b}", "d = {'a':\n  !b}"},
        {"x = \\\n  3\n%pwd", "x = \\\n  3\nget_ipython().run_line_magic('pwd', '')"},
        {"f\"{a!r}\"", "f\"{a!r}\""},
        {"x == %y", "x == %y"},
        {"f(a=1); y = !ls", "f(a=1); y = get_ipython().getoutput('ls')"},
};

TEST(cells_become_python)
{
    for (size_t i = 0; i < sizeof cells_and_python / sizeof *cells_and_python; i++) {
        const char *cell = cells_and_python[i][0];
        char *python = transform_cell(cell, strlen(cell), &options);
        CHECK_STR(python, cells_and_python[i][1]);
        free(python);
    }
}

TEST(nul_bytes_pass_through)
{
    char *python = transform_cell("a\0%b", 4, &options);
    CHECK(!memcmp(python, "a\0%b", 4));
    free(python);
}

TEST(semicolon_as_last_token)
{
    static const struct {
        const char *code;
        bool silences;
    } cases[] = {{"x;", true}, {"x; # note", true}, {"x;\n\n", true}, {"';'", false},
            {"x # ;", false}, {"x;y", false}, {"\"\"\"a\n;\"\"\"", false}, {"", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK(transform_ends_with_semicolon(cases[i].code, strlen(cases[i].code)) ==
                cases[i].silences);
}
