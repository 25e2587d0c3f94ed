"""A real browser for tests of pages: Chromium without a window, driven by playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
"""What Chromium, or its sibling, is called on one system or another."""
OPTIONS = ("--use-angle=swiftshader", "--enable-unsafe-swiftshader")
"""Space is drawn by the processor: test machines have no graphics card."""
SECONDS = 60
"""That a page may take, on a busy machine."""


def chromium() -> str:
    """The path of the browser; a test that needs it fails where it is missing, rather than to be left out."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.fail("these tests open pages in a real browser; install Chromium: apt-get install chromium "
                    "(.ci/run does), or put Chrome on the PATH", pytrace=False)
    return found


@contextmanager
def started() -> Iterator[Any]:
    """A browser that is ended afterwards."""
    from playwright.sync_api import sync_playwright

    options = [*OPTIONS, *(["--no-sandbox"] if hasattr(os, "getuid") and os.getuid() == 0 else [])]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=options)
        yield browser
        browser.close()


class Opened:
    """A page in the browser, with all that it complained about and asked for."""

    def __init__(self, browser: Any, path: Path, **options: Any) -> None:
        context = browser.new_context(viewport={"width": 1100, "height": 900}, **options)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = context.new_page()
        self.page.set_default_timeout(1000 * SECONDS)
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.resolve().as_uri())
        self.page.wait_for_function("[...document.querySelectorAll('.view')].every(view => view._fullLayout)")

    @property
    def from_elsewhere(self) -> list[str]:
        """What the page wanted from outside of itself."""
        own = [url for url in self.requests if url.startswith(("data:", "blob:"))]
        return [url for url in self.requests[1:] if url not in own]

    def close(self) -> None:
        """Close it."""
        self.page.context.close()
