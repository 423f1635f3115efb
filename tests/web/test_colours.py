"""Colours that people choose for the pages, without any script."""

from __future__ import annotations

import pytest

from connectoe.draw.theme import CONTRAST, DARK, LIGHT, page_styles
from tests.test_pictures import luminance
from tests.web.serving import Served


def test_colours_are_chosen_remembered_and_given_up_again(server: Served) -> None:
    ann = server.browser()
    assert "data-theme" not in ann.get("/rules/advanced").text
    for theme in ("light", "dark", "contrast"):
        shown = ann.post("/colours", data={"theme": theme, "back": "/rules/advanced?a=b"})
        assert shown.url.path == "/rules/advanced"
        assert f'<html lang="en" data-theme="{theme}">' in shown.text
        assert f'value="{theme}" aria-pressed="true"' in shown.text
        assert f'data-theme="{theme}"' in ann.get("/").text
    assert "data-theme" not in ann.post("/colours", data={"theme": "", "back": "/"}).text
    assert "data-theme" not in ann.post("/colours", data={"theme": '"><b>', "back": "/"}).text


@pytest.mark.parametrize("back", ["//evil.example/", "https://evil.example/", "/\\evil.example", "javascript:alert(1)"])
def test_nobody_is_sent_to_another_site(server: Served, back: str) -> None:
    answer = server.client(headers={"Origin": server.url}).post("/colours", data={"theme": "dark", "back": back})
    assert answer.headers["location"] == "/"


def test_high_contrast_is_high() -> None:
    assert CONTRAST.keys() == LIGHT.keys() == DARK.keys()
    for name in ("ink", "quiet", "orange", "blue", "line", "forced", "red", "green"):
        lighter, darker = luminance(CONTRAST[name]), luminance(CONTRAST["paper"])
        assert (lighter + 0.05) / (darker + 0.05) >= 7, name


def test_pictures_take_their_colours_from_the_page() -> None:
    assert ".connectoe .f-orange{fill:var(--picture-orange)}" in page_styles()
    assert f':root[data-theme="dark"]{{--paper:{DARK["paper"]};--picture-paper:{DARK["paper"]};' in page_styles()
