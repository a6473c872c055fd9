"""Looks at built pages in a browser, as readers meet them: each function `problems_*` says in words what is wrong."""

import shutil
from collections import Counter
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import sync_playwright

from books import parse

WIDTHS = (390, 768, 1280)
#: From this width on nothing scrolls sideways, not even inside itself.
WIDE_ENOUGH = 1280
THEMES = ("light", "dark")
#: Pages that Sphinx makes besides those of the table of contents.
MADE = ("search",)
WEIGHT = 1_500_000
TAGS = ("wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice")
#: Rules of axe that depend on colors, and where they look: at samples only.
COLORS = {"color-contrast": "[data-sample]", "link-in-text-block": "a[href][data-sample]"}

OPENED = "main details:not([open]) > summary, main .toggle-hidden .toggle-button"
#: Functions for the scripts below.
TOOLS = """
    const shown = (node) => node.checkVisibility({visibilityProperty: true}) && node.getClientRects().length > 0;
    const named = (node) => node.outerHTML.replace(/\\s+/g, " ").slice(0, 120);
    const controls = () => [...document.querySelectorAll(`a[href], button, input:not([type=hidden]), select, summary,
        textarea, [contenteditable], [onclick], [role=button], [role=link], [role=slider], [tabindex="0"]`)]
        .filter(shown);
"""
WIDE = """() => {
    const root = document.documentElement, room = window.innerWidth;
    if (root.scrollWidth <= room) return [];
    const wide = [...document.querySelectorAll("main *")].filter(node => node.getBoundingClientRect().right > room + 1);
    const first = wide.slice(0, 3).map(node => node.outerHTML.slice(0, 120));
    return [`${root.scrollWidth} pixels on a screen of ${room}: ${first.join(" ")}`]; }"""
# A macro that MathJax does not know is no error to it: it prints the name in red.
UNTYPESET = """() => {
    const bad = "mjx-merror, mjx-mtext[style*='color: red']";
    return [...document.querySelectorAll(`.math, ${bad}`)]
        .filter(node => node.matches(bad) || !node.querySelector("mjx-container"))
        .map(node => (node.closest(".math") || node).outerHTML.slice(0, 160)); }"""
# What is wider than the place that it stands in, and either cannot be scrolled or shows no sign that there is more: the
# shadow, a background of gradients. Of an equation the glyphs are measured, not the text for screen readers in it.
CUT = """() => {
    const found = [], main = document.querySelector("main"), round = Math.round;
    const shown = (node) => node.getClientRects().length > 0;
    for (const node of main.querySelectorAll("pre, div.math, span.math, table")) {
        if (!shown(node) || node.closest("mjx-assistive-mml, .explorer")) continue;
        const glyphs = node.matches(".math") ? node.querySelector("mjx-math") : null;
        const place = node.matches("table") ? node.parentElement : node;
        const over = (glyphs || (node === place ? null : node))?.getBoundingClientRect().width ?? node.scrollWidth;
        if (over <= place.clientWidth + 1 || (node.matches("span.math") && !place.clientWidth)) continue;
        const boxes = [place, ...place.querySelectorAll("mjx-container")];
        const scrolls = boxes.some(box => ["auto", "scroll"].includes(getComputedStyle(box).overflowX));
        const hinted = boxes.some(box => getComputedStyle(box).backgroundImage.includes("gradient"));
        const text = node.outerHTML.replace(/\\s+/g, " ").slice(0, 90);
        found.push([round(over - place.clientWidth), scrolls && hinted, text]);
    }
    return found; }"""
# A formula that does not scroll is no stop on the way through a page.
NEEDLESS = """() => [...document.querySelectorAll("main .math[tabindex='0']")]
    .filter(node => node.getClientRects().length && node.querySelector("mjx-math"))
    .filter(node => node.querySelector("mjx-math").getBoundingClientRect().width <= node.clientWidth + 1)
    .map(node => "a stop that does not scroll: " + node.outerHTML.slice(0, 120))"""
# A line that begins with the mark behind a formula: the mark stands lower than the formula's end.
MARKS = """() => {
    const found = [], walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const text = walk.currentNode, before = text.previousSibling;
        if (!/^[.,;:?!)]/.test(text.data) || !(before instanceof Element) || !before.matches(".math")) continue;
        const mark = document.createRange();
        mark.setStart(text, 0);
        mark.setEnd(text, 1);
        const at = mark.getBoundingClientRect(), end = before.getBoundingClientRect();
        if (at.height && end.height && at.left < end.left && at.top >= end.bottom - 4)
            found.push("a line begins with a mark: " + text.parentElement.textContent.slice(0, 80));
    }
    return found; }"""
# After the transitions that a new width begins, two frames: the second is drawn after all observers of sizes have run.
SETTLED = """() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => null)))
    .then(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(null)))))"""
# Appearance is compared without transitions, which begin with the old one.
UNREACHABLE = f"""() => {{
    {TOOLS}
    const style = document.head.appendChild(document.createElement("style"));
    style.textContent = "* {{ transition: none !important; }}";
    const look = (node) => {{
        const s = getComputedStyle(node), outline = s.outlineStyle === "none" ? "" : s.outlineWidth + s.outlineColor;
        return [outline, s.boxShadow, s.border, s.backgroundColor, s.color, s.textDecoration].join(); }};
    const found = [], nodes = controls();
    for (const node of nodes) {{
        if (node.tabIndex < 0 || node.disabled || node.closest("[inert]")) {{
            found.push(`not reached by Tab: ${{named(node)}}`);
            continue;
        }}
        const before = look(node);
        node.focus({{preventScroll: true, focusVisible: true}});
        if (document.activeElement !== node) found.push(`takes no focus: ${{named(node)}}`);
        else if (look(node) === before) found.push(`looks the same with and without focus: ${{named(node)}}`);
        else if (!node.checkVisibility({{opacityProperty: true}})) found.push(`invisible with focus: ${{named(node)}}`);
        node.blur();
    }}
    for (const node of document.body.querySelectorAll("*")) {{
        const s = getComputedStyle(node), scrolls = (way) => ["auto", "scroll"].includes(way);
        const wide = scrolls(s.overflowX) && node.scrollWidth > node.clientWidth + 1;
        const high = scrolls(s.overflowY) && node.scrollHeight > node.clientHeight + 1;
        if ((wide || high) && shown(node) && node.tabIndex < 0 && !nodes.some(one => node.contains(one)))
            found.push(`scrolls, but not by keyboard: ${{named(node)}}`);
    }}
    style.remove();
    return found; }}"""
# From the outside in: what is inside of something folded is visible only then.
OPENING = f"""(folded) => {{
    {TOOLS}
    const tried = new Set(), left = () => [...document.querySelectorAll(folded)];
    for (let seen; (seen = left().filter(node => shown(node) && !tried.has(node))).length;)
        for (const node of seen) {{ tried.add(node); node.click(); }}
    return left().map(node => "stays closed: " + named(node)); }}"""
# axe cannot see the glyphs of MathJax, which are CSS content: a word of the same color stands in for each equation.
# Of the tokens of code, three of each kind are enough.
STAND_IN = """() => {
    const nodes = [...document.querySelectorAll("mjx-container")];
    const sizes = nodes.map(node => node.getBoundingClientRect());
    nodes.forEach((node, i) => {
        node.textContent = "xx";
        Object.assign(node.style, {display: "inline-block", overflow: "hidden", fontSize: "4px", lineHeight: "1",
            width: `${sizes[i].width}px`, height: `${sizes[i].height}px`}); });
    const count = {};
    for (const token of document.querySelectorAll("pre span[class]")) {
        const kind = [token, token.closest("pre").parentElement, token.closest("[class*=highlight-]")]
            .map(node => node?.className).join();
        count[kind] = (count[kind] || 0) + 1;
        if (count[kind] > 3) token.replaceWith(...token.childNodes);
    } }"""
# Marks up to three visible texts of each look: color, font, and the backgrounds and opacities of all that is around.
SAMPLE = """() => {
    const memo = new Map(), count = {};
    const around = (node) => {
        if (!node) return "";
        if (!memo.has(node)) {
            const s = getComputedStyle(node);
            const own = [s.backgroundColor, s.backgroundImage, s.opacity, s.filter].join();
            memo.set(node, own + around(node.parentElement));
        }
        return memo.get(node); };
    for (const node of document.body.querySelectorAll("*")) {
        node.removeAttribute("data-sample");
        const text = [...node.childNodes].some(child => child.nodeType === 3 && child.data.trim());
        if (!text && !node.matches("input, select, textarea")) continue;
        if (!node.checkVisibility({visibilityProperty: true, opacityProperty: true})) continue;
        const s = getComputedStyle(node), parent = getComputedStyle(node.parentElement);
        const key = [!node.closest("a"), s.color, parent.color, s.fontSize, s.fontWeight, s.textDecorationLine,
            s.borderBottomStyle, around(node)].join();
        count[key] = (count[key] || 0) + 1;
        if (count[key] > 3) continue;
        node.setAttribute("data-sample", "");
        node.closest("a")?.setAttribute("data-sample", "");
    } }"""
AXE = """async (options) => (await axe.run({resultTypes: ["violations"], preload: false, ...options})).violations
    .flatMap(found => found.nodes.map(node =>
        `${found.id} (${found.impact}): ${node.target} ${node.html.slice(0, 160)} `
        + [...node.any, ...node.all, ...node.none].map(check => check.message).join("; ")))"""


def chromium():
    """Returns the path of a Chromium, or None."""
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@contextmanager
def headless():
    """Starts a headless Chromium and yields it."""
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


def resize(page, width):
    """Gives the window a width, and waits until what the page does about it is done."""
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate(SETTLED)


@contextmanager
def opened(browser, path, **options):
    """Opens the HTML file at `path`, offline, and typesets it; yields the page, what went wrong, and what it loads."""
    options = {"viewport": {"width": WIDTHS[0], "height": 900}, "reduced_motion": "reduce", **options}
    faults, files = [], set()

    def note(request):
        url = urlsplit(request.url)
        if url.scheme == "file":
            files.add(url2pathname(url.path))
        elif url.scheme not in ("data", "blob"):
            faults.append(f"asks for {request.url}")

    with browser.new_context(offline=True, **options) as context:
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("request", note)
        page.on("requestfailed", lambda request: faults.append(f"did not get {request.url}"))
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.goto(path.as_uri())
        page.evaluate("Promise.all([window.MathJax?.startup?.promise, document.fonts.ready]).then(() => null)")
        yield page, faults, files


def look(browser, path):
    """Returns what is wrong with the HTML file at `path`, as {kind: [...]}, and the files that it loads."""
    with opened(browser, path) as (page, faults, files):
        found = {"width": problems_width(page), "keyboard": problems_keyboard(page), "opening": problems_opening(page)}
        found["typesetting"] = problems_typesetting(page)
        for width in WIDTHS:
            resize(page, width)
            found["width"] += problems_width(page) + problems_cut(page, width)
        found["keyboard"] += problems_keyboard(page)
        found["axe"] = problems_axe(page)
        found["loading"] = faults
    return {kind: list(dict.fromkeys(words)) for kind, words in found.items()}, files


def problems_width(page):
    """What makes a page scroll sideways."""
    return page.evaluate(WIDE)


def problems_cut(page, width):
    """What is cut without a visible way to see the rest, formulas that stop Tab for nothing, and marks alone."""
    cut = [(over, text) for over, fine, text in page.evaluate(CUT) if width >= WIDE_ENOUGH or not fine]
    found = [f"{width} pixels: cut by {over} pixels: {text}" for over, text in cut]
    return found + [f"{width} pixels: {words}" for words in page.evaluate(NEEDLESS) + page.evaluate(MARKS)]


def problems_typesetting(page):
    """Equations that MathJax left alone or could not read."""
    return page.evaluate(UNTYPESET)


def problems_keyboard(page):
    """Controls and scrolling parts that Tab does not reach, or that do not show when they have the focus."""
    return page.evaluate(UNREACHABLE)


def problems_opening(page):
    """Opens all that is folded, two of each kind by Enter and Space, the rest by clicks; returns what stays closed."""
    found, pressed = [], Counter()
    for button in page.locator(OPENED).element_handles():
        kind = button.evaluate("(node) => node.parentElement.className")
        pressed[kind] += 1
        if pressed[kind] <= 2 and button.is_visible():
            button.press(("Enter", "Space")[pressed[kind] - 1])
            if button.evaluate(f"(node) => node.matches({OPENED!r})"):
                found.append(f"stays closed: {button.evaluate('(node) => node.parentElement.textContent')[:80]}")
    return found + page.evaluate(OPENING, OPENED)


def problems_axe(page):
    """Violations of axe's rules at two widths, those of color in all themes; spoils the page for other looks."""
    page.evaluate(STAND_IN)
    page.evaluate(AXE_SCRIPT)
    rules = [{"id": rule, "selector": selector} for rule, selector in COLORS.items()]
    page.evaluate("(rules) => axe.configure({rules})", rules)
    found = []
    for width in (WIDTHS[0], WIDTHS[-1]):
        resize(page, width)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.wait_for_function("(theme) => document.documentElement.dataset.theme === theme", arg=theme)
            page.evaluate(SAMPLE)
            only = TAGS if theme == THEMES[0] else {"type": "rule", "values": list(COLORS)}
            found += [f"{theme}, {width} pixels: {words}" for words in page.evaluate(AXE, {"runOnly": only})]
    return found


def problems_weight(loads):
    """Pages over WEIGHT, not counting what several pages load; `loads` is {page: files that it loads}."""
    shared = {file for file, count in Counter(file for files in loads.values() for file in files).items() if count > 1}
    own = {name: [file for file in files if file not in shared] for name, files in loads.items()}
    weights = {name: sum(Path(file).stat().st_size for file in files) for name, files in own.items()}
    return [f"{name} loads {weight} bytes" for name, weight in weights.items() if weight > WEIGHT]


@cache
def _anchors_and_links(path, _time):
    """Parses the HTML file at `path` once for each time at which it was written."""
    soup = parse(path)
    anchors = {node["id"] for node in soup.select("[id]")} | {node["name"] for node in soup.select("a[name]")}
    return anchors, [(node["href"], node.get("class", [])) for node in soup.select("a[href]")]


def anchors_and_links(path):
    """Returns all ids of the HTML file at `path`, and of its links the targets and the classes."""
    return _anchors_and_links(path, path.stat().st_mtime_ns)


def problems_links(path):
    """Links of the HTML file at `path` that lead to no file, or to no anchor of a file."""
    found = []
    for href, _ in anchors_and_links(path)[1]:
        target = urlsplit(href)
        if target.scheme or href == "#":
            continue
        file = (path.parent / unquote(target.path)).resolve() if target.path else path
        if not file.is_file():
            found.append(f"no file: {href}")
        elif file.suffix == ".html" and target.fragment and unquote(target.fragment) not in anchors_and_links(file)[0]:
            found.append(f"no anchor: {href}")
    return found


def problems_order(site, names):
    """Pages of `names` that are missing, or that do not lead to their neighbors."""
    found = []
    for before, name, after in zip([None, *names], names, [*names[1:], None], strict=False):
        path = site / f"{name}.html"
        if not path.is_file():
            found.append(f"no page {name}")
            continue
        links = anchors_and_links(path)[1]
        for kind, neighbor in (("left-prev", before), ("right-next", after)):
            targets = {(path.parent / href).resolve() for href, classes in links if kind in classes}
            if targets != ({(site / f"{neighbor}.html").resolve()} if neighbor else set()):
                found.append(f"{name} does not lead to {neighbor} by {kind}")
    return found
