"""get_ipython().kernel and the objects that hang on get_ipython(), with IPython's names and results."""


def value(cells, code):
    """The value of a cell's last expression, which is a literal."""
    import ast
    return ast.literal_eval(cells.result(code))


def test_questions_have_the_contents_of_replies(cells):
    cells.ok("kernel = get_ipython().kernel\nnumbers = [1]")
    assert value(cells, "kernel.do_is_complete('for i in x:')") == {"status": "incomplete", "indent": "    "}
    assert value(cells, "[kernel.do_is_complete(c)['status'] for c in ('x = 1', 'x = = 1')]") \
        == ["complete", "invalid"]
    reply = value(cells, "kernel.do_complete('numbers.app', 11)")
    assert (reply["status"], reply["matches"], reply["cursor_start"], reply["cursor_end"]) == ("ok", ["append"], 8, 11)
    assert value(cells, "kernel.do_complete('numbers.app more', 11)['matches']") == ["append"]
    page = value(cells, "kernel.do_inspect('len(x)', 2)")
    assert page["found"] and "Return the number of items" in page["data"]["text/plain"]
    assert value(cells, "kernel.do_inspect('nothing_here', 3)")["found"] is False
    rows = value(cells, "'a mark'\nkernel.do_history('tail', False, True, n=1)")
    assert rows["status"] == "ok" and rows["history"][0][2].startswith("'a mark'")


def test_code_that_the_kernel_runs(cells):
    outcome = cells.ok("reply = await get_ipython().kernel.do_execute('40 + 2', False, user_expressions={'e': '1 + 1'})")
    assert outcome.contents("execute_result")[0]["data"]["text/plain"] == "42"
    assert value(cells, "reply['status'], reply['payload'], reply['user_expressions']['e']['data']") \
        == ("ok", [], {"text/plain": "2"})
    cells.run("reply = await get_ipython().kernel.do_execute('1 / 0', False)")
    assert value(cells, "reply['status'], reply['ename'], reply['evalue']") \
        == ("error", "ZeroDivisionError", "division by zero")


def test_a_cell_within_a_cell_leaves_the_loop_running(cells):
    cells.ok("import asyncio\nrun = get_ipython().run_cell")
    assert cells.text("run('1'); print(asyncio.get_running_loop().is_running())") == "True\n"
    assert cells.text("await asyncio.sleep(0); run('2')\nawait asyncio.sleep(0.01); print(asyncio.get_running_loop().is_running())") \
        == "True\n"
    assert cells.result("asyncio.current_task() is None") == "True"


def test_messages_that_libraries_send(cells):
    outcome = cells.ok("""
kernel = get_ipython().kernel
kernel.send_response(kernel.iopub_socket, 'stream', {'name': 'stdout', 'text': 'sent\\n'})
bundle = {'data': {'text/plain': 'shown'}, 'metadata': {}, 'transient': {}}
message = kernel.session.msg('display_data', bundle)
kernel.session.send(kernel.iopub_socket, message)
import json
frames = [b'topic', b'<IDS|MSG>', b'', *(json.dumps(part).encode() for part in (
    {'msg_type': 'clear_output'}, {}, {}, {'wait': True}))]
kernel.iopub_socket.send_multipart(frames)
kernel.iopub_thread.schedule(lambda: print('at once'))
""")
    assert outcome.text() == "sent\nat once\n"
    assert outcome.contents("display_data")[0]["data"] == {"text/plain": "shown"}
    assert outcome.contents("clear_output") == [{"wait": True}]
    assert value(cells, "sorted(message)") == ["content", "header", "metadata", "msg_id", "msg_type", "parent_header"]
    assert value(cells, "kernel.session.msg_header('x')['version'], type(kernel.session.key).__name__") \
        == ("5.4", "bytes")


def test_lines_and_passwords(cells):
    kernel = cells.kernel
    msg_id = kernel.client.execute("get_ipython().kernel.raw_input('name? '), get_ipython().kernel.getpass('pw? ')",
                                   allow_stdin=True)
    for prompt, hidden in (("name? ", False), ("pw? ", True)):
        request = kernel.client.get_stdin_msg(timeout=20)["content"]
        assert (request["prompt"], request["password"]) == (prompt, hidden)
        kernel.client.input("answer")
    messages = kernel.receive_until_idle(msg_id)
    results = [m["content"]["data"]["text/plain"] for m in messages if m["msg_type"] == "execute_result"]
    assert results == ["('answer', 'answer')"]
    kernel.receive_reply(msg_id)


def test_what_the_kernel_says_of_itself(cells):
    assert value(cells, """
kernel = get_ipython().kernel
(kernel.implementation, kernel.language_info['name'], kernel.help_links[0]['text'],
 sorted(kernel.kernel_info), kernel.user_ns is get_ipython().user_ns, 'execute_request' in kernel.shell_handlers,
 'create_subshell_request' in kernel.control_handlers, kernel.eventloop, kernel.shell_class.__name__)""") == (
        "gridcell", "python", "Python Reference",
        ["banner", "help_links", "implementation", "implementation_version", "language_info", "protocol_version",
         "supported_features"], True, True, True, None, "ZMQInteractiveShell")
    assert value(cells, "kernel.shell_handlers['complete_request'](None, [], {'content': {'code': 'prin'}})"
                        "['matches']") == ["print"]


def test_settings_are_watched_and_listed(cells):
    assert value(cells, """
told, ip = [], get_ipython()
def note(change): told.append((change['name'], change.old, change.new))
ip.observe(note, names='ast_node_interactivity')
ip.ast_node_interactivity = 'all'
ip.ast_node_interactivity = 'last_expr'
ip.unobserve(note, names='ast_node_interactivity')
ip.ast_node_interactivity = 'last_expr'
told""") == [("ast_node_interactivity", "last_expr", "all"), ("ast_node_interactivity", "all", "last_expr")]
    assert value(cells, "ip.has_trait('colors'), ip.has_trait('nonsense'), 'ast_node_interactivity' in "
                        "ip.trait_names()") == (True, False, True)
    assert "expected any of" in cells.ok("%config InteractiveShell.ast_node_interactivity = 'bogus'").text("stderr")
    assert value(cells, "%config InteractiveShell.ast_node_interactivity") == "last_expr"


def test_the_rest_of_the_shell(cells, tmp_path):
    cells.ok(f"ip = get_ipython()\n%cd -q {tmp_path}")
    assert cells.result("ip.new_main_mod('/x/foo.py', 'foo')") == "<module 'foo' from '/x/foo.py'>"
    assert value(cells, "ip.new_main_mod('/x/foo.py', 'foo') is ip.new_main_mod('/x/foo.py', 'foo')") is True
    assert value(cells, "ip.user_ns['aa1'] = 1\nip.reset_selective('^aa')\n'aa1' in ip.user_ns") is False
    assert value(cells, "ip.transform_cell('%pwd')") == "get_ipython().run_line_magic('pwd', '')\n"
    assert value(cells, "ip.getoutput('echo hi', split=False)") == "hi\n"
    assert value(cells, "ip.displayhook.semicolon_at_end_of_expression('1; # x'), "
                        "ip.displayhook.semicolon_at_end_of_expression(\"';'\")") == (True, False)
    assert value(cells, "ip.displayhook.compute_format_data([1])") == ({"text/plain": "[1]"}, {})
    cells.ok("ip.magics_manager.register_alias('where', 'pwd')")
    assert value(cells, "%where") == str(tmp_path)
    assert value(cells, "ip.inspector.info(len)['type_name'], ip.compile.format_code_name('nowhere')") \
        == ("builtin_function_or_method", None)
    assert value(cells, "import inspect\ndef f(): pass\nip.compile.format_code_name(f.__code__.co_filename)[0]") \
        == "Cell"
    assert value(cells, "ip.config.IPKernelApp.connection_file == ip.config['IPKernelApp']['connection_file']")
    assert value(cells, "sorted(ip.get_parent())")[0] == "buffers"


def test_the_logger(cells, tmp_path):
    cells.ok(f"ip = get_ipython()\nip.logger.logstart(r'{tmp_path}/log.py')")
    cells.ok("logged = 1")
    state = cells.text("ip.logger.logstate()")
    assert f"Filename       : {tmp_path}/log.py" in state and "active" in state
    cells.ok("ip.logger.log_write('# a remark\\n')")
    cells.ok("ip.logger.logstop()")
    cells.ok("after = 1")
    text = (tmp_path / "log.py").read_text()
    assert text.startswith("# IPython log file\n\nlogged = 1\n") and "# a remark\n" in text
    assert "after" not in text


def test_magics_that_are_loaded_when_they_are_used(cells, tmp_path):
    (tmp_path / "late_magic.py").write_text(
        "def load_ipython_extension(ip):\n"
        "    ip.register_magic_function(lambda line: print('late', line), 'line', 'late')\n")
    cells.ok(f"import sys; sys.path.insert(0, r'{tmp_path}')\n"
             "get_ipython().magics_manager.register_lazy('late', 'late_magic')")
    assert cells.text("%late one") == "late one\n"
    assert cells.text("%late two") == "late two\n"
    assert "already loaded" in cells.text("%load_ext storemagic")
