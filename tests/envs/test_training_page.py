"""The examples of docs/training.md run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "training.md"
EXAMPLES = re.findall(r"^## (\w+)\n\n```python\n(.*?)```", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def first_legal(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> Any:
    return np.argmax(mask, axis=-1)


def test_there_is_an_example_of_each() -> None:
    assert [name for name, _ in EXAMPLES] == ["Batches", "PettingZoo", "Gymnasium", "OpenSpiel"]


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_it_runs(name: str, example: str) -> None:
    learned: list[NDArray[np.float32]] = []
    exec(example, {"choose": first_legal, "learn": lambda rewards: learned.append(rewards.copy())})
    if name == "Batches":
        assert sum(map(len, learned)) > 4096
