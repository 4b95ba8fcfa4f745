"""Prints the lowest version of each package that pyproject.toml allows, as pip reads it."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
for package in map(Requirement, project["dependencies"]):
    least = next(bound.version for bound in package.specifier if bound.operator == ">=")
    print(f"{package.name}=={least}{f'; {package.marker}' if package.marker else ''}")
