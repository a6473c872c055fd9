"""The page that says how to run the book: its program runs as it is printed, and is as short as it says."""

import re
import subprocess
import sys

from press.structure import ROOT

PAGE = (ROOT / "book" / "run.md").read_text(encoding="utf-8")


def test_the_experiment_runs_as_printed_and_says_what_was_found():
    programs = re.findall(r"^```python\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(programs) == 1
    assert len([line for line in programs[0].splitlines() if line.strip()]) <= 10
    done = subprocess.run([sys.executable, "-c", programs[0]], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    found, predicted = map(float, re.findall(r"(?:steps|time): (\d\.\d+)", done.stdout))
    assert 0.9 < found <= 1.0 and 0.9 < predicted <= 1.0


def test_the_commands_are_those_of_the_press():
    words = re.findall(r"book/press (\w[\w-]*)", PAGE)
    commands = ROOT / "book" / "press" / "commands"
    assert words and all((commands / f"{word.replace('-', '_')}.py").is_file() for word in words)
