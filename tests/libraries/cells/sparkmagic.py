"""sparkmagic*: %%spark and its kin, with a server of Livy's protocol in the notebook; hdijupyterutils*,
autovizwidget*, requests-kerberos*, pyspnego*, cryptography, ipywidgets, jupyter_server, nest_asyncio, pandas, requests"""
# %%
import http.server, json, threading
class Livy(http.server.BaseHTTPRequestHandler):
    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        code = json.loads(self.rfile.read(length) or b"{}").get("code", "")
        text = "a\n1" if "1 + 1" in code else '{"a": 1}\n{"a": 2}' if "toJSON" in code or "json" in code else ""
        output = {"status": "ok", "data": {"text/plain": text}}
        if "1 / 0" in code:
            output = {"status": "error", "ename": "E", "evalue": "by zero", "traceback": ["there\n"]}
        statement = {"id": Livy.count, "state": "available", "output": output, "progress": 1.0}
        if "statements" in self.path and self.command == "POST":
            Livy.kept = statement
        session = {"id": 0, "state": "idle", "kind": "pyspark", "appId": None, "appInfo": {}, "log": [], "owner": None}
        body = Livy.kept if "statements" in self.path else {"log": ["said"]} if "log" in self.path else session
        if self.path == "/sessions" and self.command == "GET":
            body = {"sessions": []}
        self.send_response(201 if self.command == "POST" else 200)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())
    do_GET = do_POST = do_DELETE = answer
    count = 0
    def log_message(self, *args): pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Livy)
threading.Thread(target=server.serve_forever, daemon=True).start()
url = f"http://127.0.0.1:{server.server_port}"
# %%
%load_ext sparkmagic.magics
# %%
%spark?
# %%
%spark info
# %%
get_ipython().run_line_magic("spark", f"add -s s -l python -u {url} -t None")
# %%
%%spark
1 + 1
# %%
%%spark -c sql -o kept
select a from t
# %%
kept
# %%
%%spark
1 / 0
# %%
%spark logs
# %%
%spark delete -s s
# %%
%manage_spark
