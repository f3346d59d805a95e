"""Widgets: comm messages both ways, also while a cell awaits."""
import time

import pytest

pytest.importorskip("ipywidgets")


def comm_opens(outcome, target="jupyter.widget"):
    return [c for c in outcome.contents("comm_open") if c["target_name"] == target]


def model_of(outcome, name):
    return next(c for c in comm_opens(outcome) if c["data"]["state"].get("_model_name") == name)


def update(kernel, comm_id, **state):
    return kernel.send("comm_msg", {"comm_id": comm_id, "data": {
        "method": "update", "state": state, "buffer_paths": []}})


def begin_with_slider(kernel, code):
    """A slider, and the request of a cell that has said "begun" and goes on."""
    slider = model_of(kernel.run("slider = ipywidgets.IntSlider()"), "IntSliderModel")
    msg_id = kernel.client.execute(code)
    kernel.wait_for_text("begun")
    return slider["comm_id"], msg_id


def test_a_slider_goes_both_ways(kernel):
    shown = kernel.run("import ipywidgets\nslider = ipywidgets.IntSlider(3, description='n')\nslider")
    slider = model_of(shown, "IntSliderModel")
    assert slider["data"]["state"]["value"] == 3
    data = shown.contents("execute_result")[0]["data"]
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == slider["comm_id"]
    moved = kernel.run("slider.value = 5").contents("comm_msg")
    assert [(m["comm_id"], m["data"]["state"]) for m in moved] == [(slider["comm_id"], {"value": 5})]
    msg_id = update(kernel, slider["comm_id"], value=42)
    messages = kernel.receive_until_idle(msg_id)
    assert messages[0]["content"] == {"execution_state": "busy"}
    assert kernel.run("slider.value").contents("execute_result")[0]["data"]["text/plain"] == "42"


def test_what_an_observer_prints_belongs_to_the_message(kernel):
    slider = model_of(kernel.run(
        "slider = ipywidgets.IntSlider()\n"
        "slider.observe(lambda change: print('now', change['new']), 'value')"), "IntSliderModel")
    messages = kernel.receive_until_idle(update(kernel, slider["comm_id"], value=7))
    assert [m["content"]["text"] for m in messages if m["msg_type"] == "stream"] == ["now 7\n"]


def test_an_observer_that_fails_is_told(kernel):
    slider = model_of(kernel.run(
        "slider = ipywidgets.IntSlider()\n"
        "slider.observe(lambda change: 1 / 0, 'value')"), "IntSliderModel")
    messages = kernel.receive_until_idle(update(kernel, slider["comm_id"], value=7))
    assert "ZeroDivisionError" in str([m["content"] for m in messages])
    assert kernel.run("slider.value").contents("execute_result")[0]["data"]["text/plain"] == "7"


def test_comms_are_listed(kernel):
    comm_id = model_of(kernel.run("box = ipywidgets.Text()"), "TextModel")["comm_id"]
    comms = kernel.ask("comm_info_request", {"target_name": "jupyter.widget"}).content["comms"]
    assert comms[comm_id] == {"target_name": "jupyter.widget"}
    closed = kernel.run("box.close()").contents("comm_close")
    assert [c["comm_id"] for c in closed] == [comm_id]
    assert comm_id not in kernel.ask("comm_info_request", {}).content["comms"]


def test_a_cell_that_awaits_hears_its_widget(kernel):
    slider, msg_id = begin_with_slider(
        kernel, "import asyncio\nchanged = asyncio.get_event_loop().create_future()\n"
        "slider.observe(lambda change: (print('heard'), changed.set_result(change['new'])), 'value')\n"
        "print('begun')\nvalue = await asyncio.wait_for(changed, 10)\nprint('got', value)")
    queued = kernel.client.execute("print('queued', value)")
    begin = time.monotonic()
    moved = update(kernel, slider, value=9)
    texts = {}
    states = []
    while (queued, "idle") not in states:
        message = kernel.client.get_iopub_msg(timeout=20)
        parent = message["parent_header"]["msg_id"]
        if message["msg_type"] == "stream":
            texts[parent] = texts.get(parent, "") + message["content"]["text"]
        elif message["msg_type"] == "status":
            states.append((parent, message["content"]["execution_state"]))
    assert time.monotonic() - begin < 5
    assert texts == {moved: "heard\n", msg_id: "got 9\n", queued: "queued 9\n"}
    assert states == [(moved, "busy"), (moved, "idle"), (msg_id, "idle"), (queued, "busy"), (queued, "idle")]
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    assert kernel.receive_reply(queued)["content"]["status"] == "ok"


def test_messages_that_came_before_the_await_are_heard(kernel):
    slider, msg_id = begin_with_slider(
        kernel, "import time\nprint('begun')\ntime.sleep(0.5)\nfor i in range(100):\n    await asyncio.sleep(0.05)\n"
        "    if slider.value: break\nprint(slider.value)")
    for value in (1, 2, 3):
        update(kernel, slider, value=value)
    kernel.wait_for_text("3\n")
    assert kernel.receive_reply(msg_id)["content"]["status"] == "ok"
    kernel.run("pass")


def test_an_awaiting_cell_that_was_served_can_be_interrupted(kernel):
    """Also in the moment when what was served ends."""
    for _ in range(30):
        slider, msg_id = begin_with_slider(kernel, "print('begun')\nawait asyncio.sleep(60)")
        kernel.receive_until_idle(update(kernel, slider, value=1))
        begin = time.monotonic()
        kernel.manager.interrupt_kernel()
        assert kernel.receive_reply(msg_id)["content"]["status"] == "error"
        assert time.monotonic() - begin < 1
        kernel.receive_until_idle(msg_id)
    assert kernel.run("print(slider.value)").text() == "1\n"


def test_polling_serves_widgets_inside_a_plain_cell(kernel):
    slider, msg_id = begin_with_slider(
        kernel, "import time\nprint('begun')\nend = time.monotonic() + 10\n"
        "while not slider.value and time.monotonic() < end:\n"
        "    get_ipython().kernel.do_one_iteration(); time.sleep(0.01)\nprint('polled', slider.value)")
    update(kernel, slider, value=4)
    assert kernel.wait_for_text("polled")["content"]["text"] == "polled 4\n"
    kernel.receive_until_idle(msg_id)


def test_the_output_widget_takes_output(kernel):
    shown = kernel.run("out = ipywidgets.Output()\nwith out:\n    print('inside')\nprint('outside')")
    states = [m["data"]["state"] for m in shown.contents("comm_msg")]
    ids = [state["msg_id"] for state in states if "msg_id" in state]
    assert ids == [shown.reply["parent_header"]["msg_id"], ""]
    assert shown.text() == "inside\noutside\n"


def test_buttons_and_binary_state(kernel):
    button = model_of(kernel.run("button = ipywidgets.Button(description='go')\n"
                                 "button.on_click(lambda b: print('clicked', b.description))"), "ButtonModel")
    msg_id = kernel.send("comm_msg", {"comm_id": button["comm_id"], "data": {
        "method": "custom", "content": {"event": "click"}}})
    messages = kernel.receive_until_idle(msg_id)
    assert [m["content"]["text"] for m in messages if m["msg_type"] == "stream"] == ["clicked go\n"]
    upload = model_of(kernel.run("image = ipywidgets.Image(value=b'abc')"), "ImageModel")
    msg_id = kernel.send("comm_msg", {"comm_id": upload["comm_id"], "data": {
        "method": "update", "state": {}, "buffer_paths": [["value"]]}}, buffers=[b"\x00\xff"])
    kernel.receive_until_idle(msg_id)
    assert kernel.run("print(bytes(image.value))").text() == "b'\\x00\\xff'\n"


def test_interact(kernel):
    shown = kernel.run("_ = ipywidgets.interact(lambda n=3: print('n is', n))")
    slider = model_of(shown, "IntSliderModel")
    assert "n is 3\n" in shown.text()
    messages = kernel.receive_until_idle(update(kernel, slider["comm_id"], value=2))
    assert "n is 2\n" in "".join(m["content"].get("text", "") for m in messages)


def test_unknown_targets_are_closed(kernel):
    msg_id = kernel.send("comm_open", {"comm_id": "x1", "target_name": "nobody", "data": {}})
    messages = kernel.receive_until_idle(msg_id)
    assert [m["content"]["comm_id"] for m in messages if m["msg_type"] == "comm_close"] == ["x1"]


def test_a_target_of_the_user(kernel):
    kernel.run("def opened(comm, message):\n    print('opened', message['content']['data'])\n"
               "    comm.on_msg(lambda m: comm.send({'echo': m['content']['data']}))\n"
               "get_ipython().kernel.comm_manager.register_target('mine', opened)")
    messages = kernel.receive_until_idle(kernel.send(
        "comm_open", {"comm_id": "x2", "target_name": "mine", "data": {"a": 1}}))
    assert "opened {'a': 1}\n" in [m["content"].get("text") for m in messages]
    messages = kernel.receive_until_idle(kernel.send("comm_msg", {"comm_id": "x2", "data": [1, 2]}))
    assert [m["content"]["data"] for m in messages if m["msg_type"] == "comm_msg"] == [{"echo": [1, 2]}]


def test_tqdm_notebook(kernel):
    pytest.importorskip("tqdm")
    shown = kernel.run("from tqdm.notebook import tqdm\nfor i in tqdm(range(20), mininterval=0): pass")
    progress = model_of(shown, "FloatProgressModel")
    assert progress["data"]["state"]["max"] == 20
    values = [m["data"]["state"].get("value") for m in shown.contents("comm_msg")
              if m["comm_id"] == progress["comm_id"]]
    assert values[-1] == 20 or 20 in values
    assert any("application/vnd.jupyter.widget-view+json" in d["data"]
               for d in shown.contents("display_data"))
    assert shown.text("stderr") == ""
    assert kernel.run("from tqdm.auto import tqdm\nprint(tqdm.__module__)").text() == "tqdm.auto\n"
