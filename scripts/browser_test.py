"""Checks pages in a browser: `browser_test.py CHROMIUM FOLDER`, called by `browser-test`.

Every page of the folder must pass every check. A page with every error must fail every check, which tests the checks.
"""

import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PHONE = 360
# Width of A4 without margins, in pixels.
PAPER = 718
LEAST_CONTRAST = 4.5
EVIL = "<script>document.title='x'</script>"

# Contrast of text to its background; in figures that is the `rs-paper` rectangle.
CONTRAST = """() => {
  const parse = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => {
    const part = [r, g, b].map(v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * part[0] + 0.7152 * part[1] + 0.0722 * part[2];
  };
  const behind = element => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
  };
  const bad = [];
  let seen = 0;
  for (const element of document.body.querySelectorAll('*')) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.textContent.trim());
    const hidden = element.closest('title, desc, style, script') || !element.getClientRects().length;
    if (!own || hidden || element.closest('.skip')) continue;
    const svg = element.closest('svg');
    const style = getComputedStyle(element);
    const paper = svg && svg.querySelector('.rs-paper');
    const under = paper ? parse(getComputedStyle(paper).fill) : behind(element);
    const [a, b] = [light(parse(svg ? style.fill : style.color)), light(under)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    seen += 1;
    if (ratio < LEAST) bad.push(`${element.tagName} '${element.textContent.trim().slice(0, 30)}' ${ratio.toFixed(2)}`);
  }
  return seen ? bad : ['no text was found'];
}""".replace("LEAST", str(LEAST_CONTRAST))

# A figure has a wide and a narrow variant, of which one is visible.
FIGURES = """() => [...document.querySelectorAll('svg')].filter(svg => svg.closest('.plot') === null
    || getComputedStyle(svg.closest('.plot')).display !== 'none').map(svg => {
  const box = svg.getBoundingClientRect();
  return { width: box.width, height: box.height, role: svg.getAttribute('role') };
})"""

# Collapsed blocks are not printed.
BEYOND_PAPER = """() => [...document.querySelectorAll('table')]
    .filter(table => !table.closest('details:not([open])') && table.getBoundingClientRect().right > innerWidth)
    .map(table => `${table.caption ? table.caption.textContent : 'a table'}: ${Math.round(table.getBoundingClientRect().right)} pixels`)"""

HEADINGS = "() => [...document.querySelectorAll('h1,h2,h3,h4')].map(head => Number(head.tagName[1]))"


class Results:
    """Counts passed and failed checks."""

    def __init__(self):
        self.passed, self.failed = 0, 0

    def record(self, page, check, faults):
        if faults:
            self.failed += 1
            print(f"FAILED {page}: {check}: {'; '.join(map(str, faults[:5]))}")
        else:
            self.passed += 1


def named_figures(context, page):
    """Accessible names of all figures, from the accessibility tree."""
    session = context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    roles = ("img", "image", "graphics-document", "SvgRoot")
    return [node.get("name", {}).get("value", "") for node in nodes if node.get("role", {}).get("value") in roles]


def faults_of(browser, path, title):
    """The errors found by each check."""
    found = {}
    messages, errors, requests = [], [], []
    address = path.resolve().as_uri()
    context = browser.new_context(viewport={"width": 1000, "height": 900}, color_scheme="light")
    page = context.new_page()
    page.on("console", lambda message: messages.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(address, wait_until="load")
    page.wait_for_timeout(100)
    found["console without errors"] = messages + errors
    found["no request but the file"] = [url for url in requests if url != address and not url.startswith("data:")]
    scripts = page.evaluate("document.scripts.length")
    handlers = page.evaluate("[...document.querySelectorAll('*')].filter(e => [...e.attributes].some(a => a.name.startsWith('on'))).length")
    wrong = [f"title is {page.title()!r}"] if not page.title().startswith(title) else []
    found["nothing runs"] = wrong + ([f"{scripts} scripts, {handlers} handlers"] if scripts or handlers else [])
    figures = page.evaluate(FIGURES)
    small = [figure for figure in figures if figure["width"] < 100 or figure["height"] < 30 or figure["role"] != "img"]
    found["figures have a size"] = small if figures else ["there is none"]
    names = [name for name in named_figures(context, page) if name.strip()]
    found["figures have a name"] = [] if len(names) >= len(figures) > 0 else [f"{len(names)} names for {len(figures)} figures"]
    heads = page.evaluate(HEADINGS)
    steps = [f"h{b} after h{a}" for a, b in zip(heads, heads[1:]) if b > a + 1]
    parts = [part for part in ("html[lang]", "main", "header") if not page.query_selector(part)]
    found["headings and landmarks"] = steps + parts + ([] if heads.count(1) == 1 else [f"{heads.count(1)} h1"])
    found["contrast, light"] = page.evaluate(CONTRAST)
    page.emulate_media(color_scheme="dark")
    found["contrast, dark"] = page.evaluate(CONTRAST)
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    found["dark differs"] = [] if sum(map(int, re.findall(r"\d+", dark)[:3])) < 200 else [f"background {dark}"]
    page.emulate_media(media="print", color_scheme="dark")
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf()))
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    white = [] if re.findall(r"\d+", paper)[:3] == ["255"] * 3 else [f"paper {paper}"]
    found["print"] = white + ([] if pages > 0 else ["no page"])
    page.set_viewport_size({"width": PAPER, "height": 1000})
    found["tables fit on paper"] = page.evaluate(BEYOND_PAPER)
    page.emulate_media(media="screen", color_scheme="light")
    page.set_viewport_size({"width": PHONE, "height": 740})
    shown = page.evaluate(FIGURES)
    tiny = [figure for figure in shown if figure["width"] < 100 or figure["height"] < 30]
    found["figures on a phone"] = tiny + ([] if len(shown) == len(figures) else [f"{len(shown)} of {len(figures)}"])
    wide = page.evaluate("Math.max(document.documentElement.scrollWidth, document.body.scrollWidth)")
    found["phone width"] = [] if wide <= PHONE else [f"{wide} pixels wide"]
    found["hostile names are text"] = [] if "hostile" not in path.name or EVIL in page.inner_text("body") else ["not shown"]
    context.close()
    return found


def svg_faults(browser, path):
    """Errors of an SVG file in both colour schemes."""
    faults = []
    for scheme in ("light", "dark"):
        page = browser.new_page(color_scheme=scheme)
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(path.resolve().as_uri())
        box = page.evaluate("(() => { const b = document.documentElement.getBoundingClientRect(); return [b.width, b.height]; })()")
        if page.evaluate("document.documentElement.tagName") != "svg" or min(box) < 30:
            faults.append(f"{scheme}: {box}")
        page.close()
    return faults


# A page that violates every check. The address is unreachable.
BAD = """<!DOCTYPE html><html><head><title>bad</title><style>body{background:#fff;color:#ccc;margin:0}
@media print{body{background:#eee}}</style></head><body><h1>a</h1><h1>b</h1><h4>c</h4>
<script>document.title = 'x'; throw new Error('ran')</script><img src="http://localhost:9/x.png"><p>pale</p>
<svg width="0" height="0"></svg><table><tr><td style="min-width:900px">far</td></tr></table><div style="width:2000px">wide</div></body></html>"""


def main():
    chromium, folder = sys.argv[1], Path(sys.argv[2])
    results = Results()
    with sync_playwright() as driver:
        # No sandbox: it does not work in a container, and the pages are trusted.
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        pages = sorted(folder.glob("*.html"))
        results.record("folder", "seven pages", [] if len(pages) == 7 else [f"{len(pages)} pages"])
        for path in pages:
            title = re.search(r"<title>(.*?) ·", path.read_text(encoding="utf-8")).group(1)
            for check, faults in faults_of(browser, path, title).items():
                results.record(path.name, check, faults)
        figures = sorted((folder / "figures").glob("*.svg"))
        results.record("figures", "each figure has a table", [] if figures and all(f.with_suffix(".csv").is_file() for f in figures) else ["missing"])
        for path in figures:
            results.record(path.name, "opens by itself", svg_faults(browser, path))
        bad = folder / "hostile-bad.htm"
        bad.write_text(BAD, encoding="utf-8")
        for check, faults in faults_of(browser, bad, "bad").items():
            results.record("bad page", f"fails '{check}'", [] if faults else ["passed"])
        browser.close()
    print(f"browser: {results.passed} passed, {results.failed} failed")
    return 1 if results.failed else 0


if __name__ == "__main__":
    sys.exit(main())
