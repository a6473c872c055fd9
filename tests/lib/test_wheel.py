"""`pip install ./lib`, as an edition of notebooks asks for it, installs all of the library."""

import shutil
import subprocess
import sys
from zipfile import ZipFile

import pytest

from press.structure import ROOT


@pytest.mark.slow
def test_the_wheel_holds_every_file_of_every_package(tmp_path):
    ignore = shutil.ignore_patterns("build", "*.egg-info", "__pycache__")
    shutil.copytree(ROOT / "lib", tmp_path / "lib", ignore=ignore)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", tmp_path, tmp_path / "lib"]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    (wheel,) = tmp_path.glob("*.whl")
    packages = [path.parent for path in (ROOT / "lib").glob("*/__init__.py")]
    files = [path for folder in packages for path in folder.rglob("*") if "__pycache__" not in path.parts]
    expected = {path.relative_to(ROOT / "lib").as_posix() for path in files if path.is_file()}
    assert "sga/exercises.toml" in expected
    assert {name for name in ZipFile(wheel).namelist() if ".dist-info/" not in name} == expected
