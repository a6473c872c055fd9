"""The directives of the page for teachers: what readers see of them, and the slips that stop the build."""

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import directives
from myst_parser.parsers.docutils_ import Parser

from press.pages.lecture import LEADS, MARKS, Block, LectureError, Question, arrange

ASK = ":::{ask}\nhow many?\n:::\n"
AGAIN = ":::{ask} And:\nnow?\n:::\n"
SEE = ":::{see}\nthree.\n:::\n"
REPAIR = ":::{repair}\nit is not.\n:::\n"
BOARD = ":::{board}\n1. One.\n2. Two.\n:::\n"
EXAM = ":::{exam}\n*Why?* Because.\n:::\n"


def demo(*parts):
    """Returns a demonstration of these parts."""
    return f"::::{{demo}}\n{''.join(parts)}::::\n"


def misconception(*parts):
    """Returns a misconception of these parts."""
    return f"::::{{misconception}}\n{''.join(parts)}::::\n"


def timed(kind, minutes):
    """Returns a block of one item that takes so many minutes."""
    return f":::{{{kind}}} {minutes}\n1. One.\n:::\n"


@pytest.fixture
def read(monkeypatch):
    """Reads a page with these blocks in its second section, and arranges them."""
    for kind in (*LEADS, *MARKS):
        monkeypatch.setitem(directives._directives, kind, Question if kind == "ask" else Block)

    def page(*blocks):
        text = "\n".join(["# A\n\n## B\n", *blocks])
        options = {"myst_enable_extensions": ["colon_fence"], "doctitle_xform": False}
        document = publish_doctree(text, "page.md", parser=Parser(), settings_overrides=options)
        arrange(None, document)
        return document

    return page


def test_a_demonstration_is_one_paragraph_and_the_first_in_a_section_has_the_lead(read):
    found = read(demo("A figure.\n", ASK, SEE, "Go on.\n", AGAIN, SEE), demo(ASK, SEE))
    assert [node.astext() for node in found.findall(nodes.paragraph)] == [
        "Live. A figure. Ask first: how many? They should see three. Go on. And: now? They should see three.",
        "Ask first: how many? They should see three.",
    ]
    parts = [node["classes"] for node in found.findall(nodes.inline)]
    assert parts == [["sga-ask"], ["sga-see"]] * 3


def test_misconceptions_are_one_list_below_their_lead(read):
    found = read(BOARD, misconception('"All is well."\n', REPAIR), misconception('"Yes."\n', REPAIR))
    lead, listed = found.children[0].children[1].children[2:]
    assert lead.astext() == "Misconceptions."
    assert [item.astext() for item in listed] == ['"All is well." Repair: it is not.', '"Yes." Repair: it is not.']
    assert all(item[0]["classes"] == ["sga-misconception"] for item in listed)


def test_a_session_says_when_each_block_begins_and_each_block_how_long_it_takes(read):
    question = ":::{question} 2\nHow many?\n:::\n"
    talk = demo(ASK, SEE).replace("{demo}", "{demo} 6")
    wrong = misconception('"Yes."\n', REPAIR).replace("{misconception}", "{misconception} 3")
    found = read(
        ":::{minutes} 20\n:::\n", question, timed("symbols", 1), timed("board", 5), talk, wrong, timed("board", 3)
    )
    said = [block.astext().split("\n\n")[0] for block in found.children[0].children[1].children[1:]]
    assert said == [
        "Plan of 20 minutes. 0 question · 2 symbols · 3 board · 8 demonstration · 14 misconception · 17 board · "
        "20 end.",
        "Question (2 min). How many?",
        "Symbols (1 min).",
        "On the board (5 min).",
        "Live (6 min). Ask first: how many? They should see three.",
        "Misconceptions.",
        '"Yes." Repair: it is not. (3 min)',
        "On the board (3 min).",
    ]
    classes = [name for block in found.findall(nodes.Element) for name in block.get("classes", ()) if "-from-" in name]
    assert classes == [f"sga-from-{a}-to-{b}" for a, b in ((0, 2), (2, 3), (3, 8), (8, 14), (14, 17), (17, 20))]


def test_other_blocks_begin_with_their_words_in_bold(read):
    found = read(BOARD, EXAM, ":::{talks}\nShort ones:\n\n- One.\n:::\n")
    board, exam, talks = found.children[0].children[1].children[1:]
    assert [block["classes"] for block in (board, exam, talks)] == [["sga-board"], ["sga-exam"], ["sga-talks"]]
    assert [block[0].astext() for block in (board, exam, talks)] == [
        "On the board.",
        "Oral exam. Why? Because.",
        "Talks. Short ones:",
    ]
    assert len(board[1]) == 2 and len(talks[1]) == 1


@pytest.mark.parametrize(
    "blocks, fault",
    [
        ([demo(ASK)], "page.md:5: {demo} must hold one or more {ask}, each with its {see}"),
        ([demo(SEE)], "page.md:5: {demo} must hold"),
        ([demo(SEE, ASK)], "page.md:5: {demo} must hold"),
        ([demo(ASK, AGAIN, SEE)], "page.md:5: {demo} must hold"),
        ([demo(ASK, "Wait.\n", SEE)], "page.md:5: {demo} must hold"),
        ([demo(ASK, SEE, "The end.\n")], "page.md:5: {demo} must hold"),
        ([demo("Look.\n")], "page.md:5: {demo} must hold"),
        ([demo(ASK, SEE, REPAIR)], "page.md:5: {demo} must hold"),
        ([demo(":::{ask}\n:::\n", SEE)], "{ask} must hold one paragraph"),
        ([ASK], "page.md:5: {ask} must stand in a {demo}"),
        ([demo(ASK, SEE), SEE], "page.md:14: {see} must stand in a {demo}"),
        ([BOARD, REPAIR], "page.md:10: {repair} must stand in a {misconception}"),
        (
            [BOARD, misconception('"All is well."\n')],
            "page.md:10: {misconception} must hold a paragraph and its {repair}",
        ),
        ([BOARD, misconception(REPAIR)], "page.md:10: {misconception} must hold"),
        ([BOARD, misconception('"A."\n', REPAIR, REPAIR)], "page.md:10: {misconception} must hold"),
        ([misconception('"A."\n', REPAIR)], "{misconception} must stand in a section with a {board}"),
        ([EXAM], "page.md:5: {exam} must stand in a section with a {board}"),
        ([timed("board", 5), ":::{minutes} 6\n:::\n"], "{minutes} 6, and the blocks take 5"),
        (
            [timed("board", 5), BOARD, ":::{minutes} 5\n:::\n"],
            "{minutes} is said, and not how many the blocks in line 9 take",
        ),
        ([timed("board", 5), ":::{minutes}\n:::\n"], "{minutes} without a number, and the blocks take 5"),
        ([":::{minutes} 6\n:::\n"], "page.md:5: {minutes} must stand in a section with a {board}"),
        ([BOARD, ":::{exam} 5\nWhy?\n:::\n"], "page.md:10: {exam} 5: a number of minutes can stand there with what"),
        ([timed("board", "long")], "page.md:5: {board} long: a number of minutes"),
        ([":::{symbols}\n- $x$: one.\n:::\n"], "page.md:5: {symbols} must stand in a section with a {board}"),
        ([":::{board}\nOne.\n:::\n"], "page.md:5: {board} must hold a list"),
        ([BOARD, ":::{homework}\n- One.\n:::\n"], "page.md:10: {homework} must hold one paragraph"),
        ([f"- item\n\n  {BOARD}".replace("\n", "\n  ")], "{board} must stand in a section with a {board}"),
    ],
)
def test_a_slip_stops_the_build_with_its_place(read, blocks, fault):
    with pytest.raises(LectureError) as stopped:
        read(*blocks)
    assert fault in str(stopped.value)


def test_all_slips_of_a_page_are_named(read):
    with pytest.raises(LectureError) as stopped:
        read(demo(ASK), BOARD, REPAIR)
    assert len(str(stopped.value).splitlines()) == 2


def test_the_book_does_not_build_over_slips_and_unknown_blocks(small_book):
    small_book.text("book/lecture.md", f"# A\n:::{{bord}}\n1. One.\n:::\n{demo(ASK, SEE)}{demo(ASK)}")
    small_book.chapter("book/lecture")
    done = small_book.build()
    assert done.returncode != 0
    assert "book/lecture.md:2: WARNING: Unknown directive type: 'bord'" in done.stderr
    assert "book/lecture.md:13: {demo} must hold" in done.stderr
