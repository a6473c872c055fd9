"""The explorers: right numbers, moved by every means, offline, and with a picture where scripts don't run."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import ks_2samp, kstest

from press.commands import stills
from press.pages.explorers import KINDS, SHARED
from press.structure import ROOT
from sga import Constant, Limit, Model, ascend, critical_theta, gradient

STATIC = ROOT / "book" / "_static"
TOKENS = 1000


def drawing(figure):
    """What the panels of an explorer show."""
    return figure.locator("svg").evaluate_all("nodes => nodes.map(node => node.innerHTML).join()")


def words(figure):
    """What an explorer says."""
    return figure.locator("[role=status]").inner_text()


def values(figure):
    """What the controls of an explorer stand at, as they are shown."""
    return figure.locator("output").all_inner_texts()


def put(figure, label, position):
    """Moves a slider to a position."""
    figure.get_by_role("slider", name=label).evaluate(
        "(node, at) => { node.value = at; node.dispatchEvent(new Event('input', {bubbles: true})); }", position
    )


def test_explorers_begin_where_their_still_pictures_do(visit):
    assert visit().evaluate("sga.defaults") == stills.DEFAULTS


@pytest.mark.parametrize("kind", KINDS)
def test_arrow_keys_on_every_slider_change_the_picture_and_the_words(visit, kind):
    figure = visit().locator(f"figure.explorer-{kind}")
    sliders = figure.get_by_role("slider").all()
    assert len(sliders) >= 2
    for i, slider in enumerate(sliders):
        before = drawing(figure), words(figure), values(figure)[i]
        slider.focus()
        for _ in range(4 if slider.get_attribute("step") != "1" else 1):
            slider.press("ArrowRight")
        after = drawing(figure), words(figure), values(figure)[i]
        assert [a != b for a, b in zip(before, after, strict=True)] == [True, True, True], (before[1:], after[1:])
        assert slider.get_attribute("aria-valuetext") == values(figure)[i]


@pytest.mark.parametrize("kind", KINDS)
def test_every_control_is_reached_by_tab_and_reset_restores_all(visit, kind):
    page = visit()
    figure = page.locator(f"figure.explorer-{kind}")
    begin = drawing(figure), words(figure), values(figure)
    controls = figure.locator("button, input:not([type=radio]), input:checked").all()
    controls[0].focus()
    reached = []
    for _ in controls:
        reached.append(page.evaluate("document.activeElement.outerHTML"))
        page.keyboard.press("Tab")
    assert reached == [node.evaluate("node => node.outerHTML") for node in controls]
    for slider in figure.get_by_role("slider").all():
        slider.press("Home")
    assert drawing(figure) != begin[0]
    figure.get_by_role("button", name="Reset").press("Enter")
    assert (drawing(figure), words(figure), values(figure)) == begin


def test_the_words_say_what_the_library_says(visit):
    figure = visit().locator("figure.explorer-landscape")
    traps = []
    for theta, share in ((0.5, 0.1), (1.0, 0.3), (1.5, 0.3), (2.0, 0.05), (3.0, 0.8), (6.0, 0.5)):
        put(figure, "signal strength", theta)
        put(figure, "share of informative", share)
        trap = Limit(Model(TOKENS, round(share * TOKENS), 10, theta)).trap()
        traps.append(trap)
        expected = (
            "−ξ repels" if trap is None else f"−ξ attracts: a start below ρ = {trap:.2f} ends there".replace("-", "−")
        )
        assert words(figure).startswith(expected)
        assert f"θ = {float(critical_theta(share)):.2f}" in words(figure)
    assert None in traps


def test_the_attention_mass_is_told_in_percent(visit):
    figure = visit().locator("figure.explorer-mass")
    put(figure, "alignment", 1.0)
    mass = Limit(Model(21, 1, 10, stills.DEFAULTS["mass"]["theta"])).mass(1.0)
    assert f"get {100 * mass:.0f}% of the attention instead of 4.8%" in words(figure)
    assert f"leave {100 * (1 - mass):.0f}% on noise" in words(figure)


@pytest.mark.parametrize(("scale", "power"), [(0, 0), (3, 4), (4, 1)])
def test_the_stored_runs_are_told_in_numbers(visit, scale, power):
    figure = visit().locator("figure.explorer-ode")
    put(figure, "constant", scale)
    put(figure, "power", power)
    data = stills.read_script((STATIC / "explorers" / "runs.js").read_text(encoding="utf-8"))
    final = np.tanh(np.median(np.array(data["runs"][scale][power])[:, -1]) / data["unit"])
    told = float(re.search(r"median run is (\S+) short", words(figure))[1])
    assert told == pytest.approx(1 - final, rel=0.06)
    fails = data["powers"][power] <= 0.5
    assert ("conditions fail" if fails else "conditions hold") in words(figure)


def box(handle):
    """Center and size of an element on the screen."""
    frame = handle.bounding_box()
    return frame["x"] + frame["width"] / 2, frame["y"] + frame["height"] / 2, frame["width"], frame["height"]


@pytest.mark.parametrize(
    ("kind", "number", "moved"),
    [("landscape", 0, 1), ("landscape", 1, 2), ("mass", 0, 1), ("sign", 0, 2), ("freeze", 0, 1)],
)
def test_points_follow_the_mouse(visit, kind, number, moved):
    page = visit()
    figure = page.locator(f"figure.explorer-{kind}")
    figure.scroll_into_view_if_needed()
    handle, before = figure.locator(".explorer-handle").nth(number), (drawing(figure), values(figure))
    handle.scroll_into_view_if_needed()
    x, y, *_ = box(handle)
    page.mouse.move(x + 3, y - 2)
    page.mouse.down()
    page.mouse.move(x + 33, y + 18, steps=5)
    page.mouse.up()
    assert drawing(figure) != before[0]
    assert sum(a != b for a, b in zip(values(figure), before[1], strict=True)) == moved
    new_x, new_y, *_ = box(handle)
    assert new_x - x == pytest.approx(30, abs=3)
    if moved == 2:
        assert new_y - y == pytest.approx(20, abs=3)
    page.mouse.move(x, y)
    assert box(handle)[:2] == (new_x, new_y)


@pytest.mark.parametrize(
    ("kind", "number"), [("landscape", 0), ("landscape", 1), ("mass", 0), ("sign", 0), ("freeze", 0)]
)
def test_points_follow_the_arrow_keys(visit, kind, number):
    figure = visit().locator(f"figure.explorer-{kind}")
    handle = figure.locator(".explorer-handle").nth(number)
    x = box(handle)[0]
    name = handle.get_attribute("aria-label")
    handle.press("ArrowRight")
    assert box(handle)[0] > x
    handle.press("ArrowLeft")
    assert handle.get_attribute("aria-label") == name
    handle.press("Shift+ArrowLeft")
    assert box(handle)[0] < x - 5


def test_the_sign_diagram_shows_share_or_dimension(visit):
    figure = visit().locator("figure.explorer-sign")
    before = drawing(figure)
    figure.get_by_label("strength and dimension").check()
    assert drawing(figure) != before
    handle = figure.locator(".explorer-handle")
    for _ in range(12):
        handle.press("Shift+ArrowDown")
    assert figure.get_by_role("slider", name="dimension per token").get_attribute("aria-valuetext") == "0.001"
    assert words(figure).startswith("−ξ repels")
    figure.get_by_label("strength and share").press("Space")
    assert figure.get_by_label("strength and share").is_checked()


def test_points_follow_a_finger(visit):
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    figure = page.locator("figure.explorer-sign")
    handle = figure.locator(".explorer-handle")
    handle.evaluate("node => node.scrollIntoView({block: 'center'})")
    before, (x, y, *_) = values(figure), box(handle)
    touch = page.context.new_cdp_session(page)
    for kind, dx in (("touchStart", 0), ("touchMove", 15), ("touchMove", 60), ("touchEnd", None)):
        points = [] if dx is None else [{"x": x + dx, "y": y - dx / 2}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    assert box(handle)[0] - x == pytest.approx(60, abs=3)
    assert box(handle)[1] - y == pytest.approx(-30, abs=3)
    assert values(figure) != before
    x, y, *_ = box(handle)
    page.touchscreen.tap(x + 50, y + 40)
    assert box(handle)[:2] == (pytest.approx(x + 50, abs=3), pytest.approx(y + 40, abs=3))


def test_a_slider_follows_a_finger(visit):
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 844})
    figure = page.locator("figure.explorer-mass")
    slider = figure.get_by_role("slider", name="signal strength")
    slider.evaluate("node => node.scrollIntoView({block: 'center'})")
    before, (x, y, width, _) = drawing(figure), box(slider)
    page.touchscreen.tap(x + width / 4, y)
    assert drawing(figure) != before
    assert float(slider.input_value()) == pytest.approx(4.5, abs=0.4)


def test_a_slider_gives_back_what_a_scrolling_finger_moved(visit):
    figure = visit().locator("figure.explorer-mass")
    before = values(figure)
    slider = figure.get_by_role("slider", name="signal strength")
    slider.dispatch_event("pointerdown")
    put(figure, "signal strength", 0.5)
    assert values(figure) != before
    slider.dispatch_event("pointercancel")
    assert values(figure) == before


def test_the_address_keeps_the_state(visit, address):
    page = visit()
    figure = page.locator("figure.explorer-landscape")
    put(figure, "signal strength", 1.25)
    put(figure, "share of informative", 0.4)
    page.wait_for_url("**?fig-landscape=theta:1.25,pi:0.4")
    said = words(figure)
    page.reload()
    assert words(page.locator("figure.explorer-landscape")) == said
    page.locator("figure.explorer-landscape").get_by_role("button", name="Reset").click()
    page.wait_for_url(address)
    page.goto(f"{address}?fig-landscape=theta:nothing,color:red,pi:0.4")
    assert values(page.locator("figure.explorer-landscape"))[:2] == ["4.00", "0.40"]


def test_a_run_in_the_page_is_one_of_the_algorithm(visit):
    page, rng = visit(), np.random.default_rng(5)
    for beta in (0.5, 1.0, 2.0):
        bag, q = rng.normal(size=(7, 3)), rng.normal(size=3)
        q /= np.linalg.norm(q)
        found = page.evaluate("([q, x, beta]) => sga.gradient(q, x, beta)", [q.tolist(), bag.tolist(), beta])
        np.testing.assert_allclose(found, gradient(q, bag, beta), rtol=1e-9)


def test_runs_in_the_page_agree_with_runs_of_the_library(visit):
    state = {"theta": 1.0, "pi": 0.3, "rho": 0.2}
    script = "state => Array.from({length: 200}, (_, i) => sga.walk(state, () => 0.02, 1000 + i).at(-1)[0])"
    page = visit().evaluate(script, state)
    library = ascend(Model(200, 60, 3, 1.0), 300, Constant(0.02), runs=200, seed=7, rho0=0.2, every=300).rho[:, -1]
    assert ks_2samp(page, library).pvalue > 1e-3
    assert ks_2samp(np.array(page) - 2 * np.std(library), library).pvalue < 1e-6, "the test would see a shift"


def test_random_numbers_in_the_page_are_standard_normal_and_repeat_with_their_seed(visit):
    page = visit()
    draw = "([seed, n]) => { const normal = sga.normals(seed); return Array.from({length: n}, normal); }"
    numbers = page.evaluate(draw, [3, 20_000])
    assert kstest(numbers, "norm").pvalue > 1e-3
    assert abs(np.corrcoef(numbers[:-1], numbers[1:])[0, 1]) < 4 / np.sqrt(20_000)
    assert page.evaluate(draw, [3, 5]) == numbers[:5]
    assert page.evaluate(draw, [4, 5]) != numbers[:5]


@pytest.mark.parametrize(("scale", "power"), [(0.3, 1.0), (0.5, 0.75), (1.0, 0.0), (0.8, 1.2)])
def test_the_errors_of_iterate_and_average_are_exact(visit, scale, power):
    found = visit().evaluate("([c, power]) => sga.errors(c, power)", [scale, power])
    count = 100
    eta = scale / np.arange(1, count + 1) ** power
    # x_k is a sum of the start and the noises with known coefficients.
    rows = [np.eye(1, count + 1)[0]]
    for k, step in enumerate(eta):
        rows.append((1 - step) * rows[-1] - step * np.eye(1, count + 1, k + 1)[0])
    rows = np.array(rows)
    means = np.cumsum(rows, axis=0) / np.arange(1, count + 2)[:, None]
    at = [k for k in dict.fromkeys(round(10 ** (i / 20)) for i in range(81)) if k <= count]
    np.testing.assert_allclose(found["iterate"][: len(at)], np.linalg.norm(rows, axis=1)[at], rtol=1e-9)
    np.testing.assert_allclose(found["average"][: len(at)], np.linalg.norm(means, axis=1)[at], rtol=1e-9)


def test_the_concentration_of_a_bag_is_the_sum_of_its_squared_weights(visit):
    scores = np.sort(np.random.default_rng(1).normal(size=40))[::-1]
    found = visit().evaluate("([u, beta]) => sga.attention(u, beta)", [scores.tolist(), 1.7])
    expected = softmax(1.7 * scores)
    np.testing.assert_allclose(found["top"], expected[:25], rtol=1e-9)
    assert found["squares"] == pytest.approx(np.sum(expected**2), rel=1e-9)


def test_a_new_run_is_another_run_and_can_be_watched(visit):
    page = visit(reduced_motion="reduce")
    figure = page.locator("figure.explorer-walk")
    before = drawing(figure), words(figure)
    figure.get_by_role("button", name="New run").click()
    assert drawing(figure) != before[0] and words(figure) != before[1]
    figure.get_by_role("button", name="Reset").click()
    assert (drawing(figure), words(figure)) == before
    page = visit(reduced_motion="no-preference")
    figure = page.locator("figure.explorer-walk")
    figure.get_by_role("button", name="New run").click()
    page.wait_for_timeout(300)
    early = drawing(figure)
    page.wait_for_timeout(4000)
    assert drawing(figure) != early


def test_every_target_is_large_enough_for_a_finger_and_nothing_sticks_out(visit):
    page = visit(viewport={"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for node in page.locator(".explorer :is(button, input[type=range], .explorer-choice label)").all():
        width, height = box(node)[2:]
        assert width >= 44
        assert height >= 44
    sticking = page.evaluate("""() => [...document.querySelectorAll(".explorer svg text")].filter(node => {
        const text = node.getBoundingClientRect(), panel = node.closest("svg").getBoundingClientRect();
        return text.left < panel.left - 1 || text.right > panel.right + 1; }).map(node => node.textContent)""")
    assert sticking == []


def test_the_ball_rolls_to_its_pole_at_once_or_slowly(visit):
    page = visit(reduced_motion="reduce")
    figure = page.locator("figure.explorer-landscape")
    ball = figure.locator(".explorer-handle").first
    figure.get_by_role("button", name="Let it flow").click()
    assert "alignment −0.99" in ball.get_attribute("aria-label")
    page = visit(reduced_motion="no-preference")
    figure = page.locator("figure.explorer-landscape")
    ball = figure.locator(".explorer-handle").first
    put(figure, "start", -0.4)
    figure.get_by_role("button", name="Let it flow").click()
    assert "alignment 0.99" not in ball.get_attribute("aria-label")
    page.wait_for_function("document.querySelector('.explorer-handle').ariaLabel.includes('alignment 0.99')")
    said = words(figure)
    assert "From ρ₀ = −0.40 the flow ends at +ξ" in said
    figure.get_by_role("button", name="Reset").click()
    assert "alignment −0.60" in ball.get_attribute("aria-label")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_the_page(visit, scheme):
    page = visit(color_scheme=scheme)
    colors = page.evaluate("""() => {
        const numbers = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const page = numbers(getComputedStyle(document.body).backgroundColor);
        const texts = [...document.querySelectorAll(".explorer svg text")];
        return [page, texts.map(node => numbers(getComputedStyle(node).fill))]; }""")

    def luminance(color):
        c = np.array(color) / 255
        return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]

    back, texts = luminance(colors[0]), [luminance(color) for color in colors[1]]
    assert min((max(back, text) + 0.05) / (min(back, text) + 0.05) for text in texts) >= 4.5


def test_without_scripts_a_picture_stands_in(visit):
    page = visit(java_script_enabled=False)
    assert page.locator(".explorer-body, .explorer input").count() == 0
    images = page.locator("figure.explorer > img").all()
    assert len(images) == len(KINDS)
    for image in images:
        assert image.is_visible()
        assert box(image)[2] > 300
        assert box(image)[3] > 150


def test_with_scripts_no_picture_is_left(visit):
    page = visit()
    assert page.locator("figure.explorer .explorer-body").count() == len(KINDS)
    assert page.locator("figure.explorer img").count() == 0


def test_only_pages_with_an_explorer_load_the_script(site):
    def files(name):
        page = site.page(f"book/pages/{name}")
        return [node.get("src") or node.get("href") for node in page.select("script[src], link[rel=stylesheet]")]

    loaded = [Path(name.partition("?")[0]).stem for name in files("explorers") if "explorers" in name]
    assert loaded == ["explorers", *SHARED, "runs", *KINDS]
    assert [name for name in files("plain") if "explorers" in name] == []
    figures = site.page("book/pages/explorers").select("figure.explorer")
    assert [figure.select_one(".caption-number").get_text() for figure in figures] == [
        f"Fig. 1.{n} " for n in range(1, len(KINDS) + 1)
    ]
