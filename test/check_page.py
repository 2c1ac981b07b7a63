#!/usr/bin/env python3
"""Opens a report in headless Chromium and uses it as a person would.

usage: check_page.py REPORT.html REPORT.json [SCREENSHOT.png]

Drives Chromium over its debugging pipe and fails unless
  - nothing is written to the console and nothing is fetched from elsewhere,
  - pointing at a tensor of the memory map describes it, with the figures that
    REPORT.json (or the page's own data) holds,
  - the arrow keys go from tensor to tensor, and a tap works on a phone,
  - whatever a screen reader stops at has a name,
  - the buttons save the table as CSV and everything as JSON,
  - a click on a heading sorts the table of tensors by it,
  - the page fits a phone's width, and is dark where dark is preferred,
  - the numbers of the first table are those of REPORT.json.
What concerns the memory map is left out for a page that has none.
Prints one line per fact, for FileCheck.
"""

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path


class Browser:
    """Chromium at the other end of two pipes; messages end with a zero byte."""

    def __init__(self, profile):
        program = shutil.which("chromium")
        their_input, self.output = os.pipe()
        self.input, their_output = os.pipe()

        def connect():
            # Both at once: either number may already be taken by the other.
            first, second = os.dup(their_input), os.dup(their_output)
            os.dup2(first, 3)
            os.dup2(second, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu",
             "--hide-scrollbars", "--remote-debugging-pipe",
             f"--user-data-dir={profile}"],
            preexec_fn=connect, close_fds=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(their_input)
        os.close(their_output)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []

    def receive(self):
        while b"\0" not in self.buffer:
            part = os.read(self.input, 1 << 16)
            if not part:
                sys.exit("check_page: error: chromium ended")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") != self.number:
                self.events.append(answer)
            elif "error" in answer:
                sys.exit(f"check_page: error: {method}: {answer['error']}")
            else:
                return answer["result"]

    def wait_for(self, event):
        while not any(seen.get("method") == event for seen in self.events):
            self.events.append(self.receive())

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression,
                           returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"check_page: error: {expression}: {result}")
        return result["result"].get("value")

    def mouse(self, kind, place, **more):
        self.call("Input.dispatchMouseEvent", type=kind, **place, **more)

    def close(self):
        self.session = None
        self.call("Browser.close")
        self.process.wait(timeout=60)


failures = []


def expect(condition, text):
    print(("ok: " if condition else "FAILED: ") + text)
    if not condition:
        failures.append(text)


# The middle of the largest rectangle of a map, scrolled into view.
LARGEST = """(() => {
  const rects = [...document.querySelectorAll('#map-after rect')];
  const area = r => r.width.baseVal.value * r.height.baseVal.value;
  const rect = rects.reduce((a, b) => area(b) > area(a) ? b : a);
  rect.scrollIntoView({block: 'center'});
  const box = rect.getBoundingClientRect();
  return {x: box.x + box.width / 2, y: box.y + box.height / 2,
          tensor: Number(rect.dataset.tensor)};
})()"""


def check_map(browser, data):
    tensors = list(data["tables"].values())[-1]["rows"]
    target = browser.evaluate(LARGEST)
    row = tensors[target.pop("tensor")]
    browser.mouse("mouseMoved", target)
    detail = browser.evaluate("document.getElementById('detail').textContent")
    expect(f"{row['Bytes']:,} bytes" in detail and row["Kernel"] in detail
           and row["Layer"] in detail and row["Decision"] in detail
           and row["Live after"] in detail,
           "pointing at a tensor describes it")
    chosen = browser.evaluate(
        "document.querySelectorAll('tr.chosen').length")
    expect(chosen == 1, "the tensor is marked in the table")

    browser.evaluate("document.getElementById('map-before').focus()")
    seen = set()
    for _ in range(3):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight",
                         code="ArrowRight")
        seen.add(browser.evaluate(
            "document.getElementById('detail').textContent"))
    expect(len(seen) == 3, "the arrow keys go from tensor to tensor")


def check_sorting(browser, data):
    table = list(data["tables"])[-1]
    column = data["tables"][table]["columns"].index("Bytes")
    shown = f"""[...document.getElementById('{table}').tBodies[0].rows]
        .map(row => Number(row.cells[{column}].textContent))"""
    click = f"""document.getElementById('{table}').tHead.rows[0]
        .cells[{column}].querySelector('button').click()"""
    browser.evaluate(click)
    up = browser.evaluate(shown)
    browser.evaluate(click)
    down = browser.evaluate(shown)
    expect(up == sorted(up) and down == sorted(up, reverse=True)
           and len(up) == len(data["tables"][table]["rows"]),
           "the table of tensors is sorted both ways")


def check_numbers(browser, report):
    cells = browser.evaluate(
        "[...document.getElementById('table-0').tBodies[0].rows].map(row => "
        "[...row.cells].map(cell => cell.dataset.key))")
    rows = [[value for name, value in row.items() if name != "predicted"]
            for row in report["rows"]]
    same = len(cells) == len(rows)
    for shown, expected in zip(cells, rows):
        for text, value in zip(shown, expected):
            if value is None:
                same &= text == ""
            elif isinstance(value, str):
                same &= text == value
            else:
                same &= float(text) == float(value)
    expect(same and len(rows) > 0, "the first table holds the report's numbers")


def check_names(browser):
    """Buttons, tables, regions and pictures, as a screen reader meets them."""
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    spoken = {"button", "table", "region", "image", "group"}
    nameless = [node["role"]["value"] for node in nodes
                if not node.get("ignored")
                and node["role"]["value"] in spoken
                and not node.get("name", {}).get("value")]
    roles = {node["role"]["value"] for node in nodes}
    expect(not nameless and {"button", "table", "region"} <= roles,
           f"everything has a name {nameless or ''}")


def check_downloads(browser, data, directory):
    browser.call("Browser.setDownloadBehavior", behavior="allow",
                 downloadPath=str(directory), eventsEnabled=True)

    def save(selector, name):
        browser.evaluate(f"document.querySelector('{selector}').click()")
        limit = time.monotonic() + 60
        while not (directory / name).exists() and time.monotonic() < limit:
            browser.evaluate("0")
            time.sleep(0.05)
        return (directory / name).read_bytes().decode()

    table = data["tables"]["table-0"]
    name = re.sub("[^A-Za-z0-9]+", "-", table["title"]).lower() + ".csv"
    csv = save("[data-csv=table-0]", name)
    expect(csv == table["csv"], "the table is saved as CSV")
    saved = json.loads(save("#download-json", "report.json"))
    expect(saved == data, "everything is saved as JSON")


def check_phone(browser, has_map):
    browser.call("Emulation.setDeviceMetricsOverride", width=390, height=844,
                 deviceScaleFactor=1, mobile=True)
    browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
    width = browser.evaluate("document.documentElement.scrollWidth")
    expect(width <= 390, "the page fits a phone")
    if not has_map:
        return
    browser.evaluate("document.getElementById('detail').textContent = ''")
    target = browser.evaluate(LARGEST)
    target.pop("tensor")
    browser.call("Input.synthesizeTapGesture", **target)
    detail = browser.evaluate("document.getElementById('detail').textContent")
    expect("bytes" in detail, "a tap describes a tensor")


def check_dark(browser):
    color = "getComputedStyle(document.body).backgroundColor"
    light = browser.evaluate(color)
    browser.call("Emulation.setEmulatedMedia", features=[
        {"name": "prefers-color-scheme", "value": "dark"}])
    expect(light == "rgb(255, 255, 255)" and browser.evaluate(color) != light,
           "the page is light or dark as preferred")


def main():
    if len(sys.argv) not in (3, 4):
        print("usage: check_page.py REPORT.html REPORT.json [SCREENSHOT.png]",
              file=sys.stderr)
        return 2
    page = Path(sys.argv[1]).resolve()
    report = json.loads(Path(sys.argv[2]).read_text())
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(profile)
        target = browser.call("Target.createTarget", url="about:blank")
        attached = browser.call("Target.attachToTarget", flatten=True,
                                targetId=target["targetId"])
        browser.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.call(domain + ".enable")
        browser.call("Emulation.setDeviceMetricsOverride", width=1100,
                     height=1000, deviceScaleFactor=1, mobile=False)
        browser.call("Page.navigate", url=page.as_uri())
        browser.wait_for("Page.loadEventFired")
        data = browser.evaluate(
            "JSON.parse(document.getElementById('data').textContent)")
        check_numbers(browser, report)
        has_map = browser.evaluate("!!document.getElementById('map-after')")
        if has_map:
            check_map(browser, data)
        if len(sys.argv) == 4:
            browser.evaluate("window.scrollTo(0, 0)")
            size = browser.call("Page.getLayoutMetrics")["cssContentSize"]
            clip = {"x": 0, "y": 0, "width": 1100, "scale": 1,
                    "height": min(size["height"], 2600)}
            image = browser.call("Page.captureScreenshot", clip=clip,
                                 captureBeyondViewport=True)
            Path(sys.argv[3]).write_bytes(base64.b64decode(image["data"]))
        check_names(browser)
        check_downloads(browser, data, Path(profile))
        if has_map:
            check_sorting(browser, data)
        check_phone(browser, has_map)
        check_dark(browser)
        bad = [event for event in browser.events if event.get("method") in
               ("Runtime.exceptionThrown", "Runtime.consoleAPICalled",
                "Log.entryAdded")]
        expect(not bad, f"the console is silent {bad if bad else ''}")
        requests = [event["params"]["request"]["url"]
                    for event in browser.events
                    if event.get("method") == "Network.requestWillBeSent"]
        foreign = [url for url in requests
                   if url != page.as_uri() and not url.startswith("data:")]
        expect(not foreign, f"nothing else is fetched {foreign or ''}")
        browser.close()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
