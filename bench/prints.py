"""Everything there is to print of a championship, as PDF files, by a real browser:

tabuleiro championship rehearse nacional.campeonato --pupils 1800 --schools 340
python bench/prints.py nacional.campeonato FOLDER

The file is taken into a server of its own, the page *Papel* is opened as its organiser sees it, and each sheet is
printed for all sections and stages. Looked at besides: every page is of A4, upright or across, says something, and says
of a rehearsal that it is one.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pypdfium2
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.hall import first_link

from browser.site import Site, Visitor, open_browser

#: Millimetres of A4, and of a point of PDF.
A4, POINT = (210, 297), 25.4 / 72
MARKS = ("ENSAIO", "REHEARSAL")
MINUTES = 10
SHEETS = ("checkin", "groups", "tables", "slips", "cross", "standings", "rules", "diplomas", "winners")


def wrong_pages(pdf: bytes, *, rehearsal: bool) -> tuple[int, list[str]]:
    """How many pages a print has, and what is wrong with them."""
    document, wrong = pypdfium2.PdfDocument(pdf), []
    for number in range(len(document)):
        size = sorted(round(side * POINT) for side in document[number].get_size())
        text = document[number].get_textpage().get_text_range()
        if size != sorted(A4):
            wrong.append(f"page {number + 1} is {size}")
        if not text.strip():
            wrong.append(f"page {number + 1} is empty")
        elif rehearsal and not any(mark in text for mark in MARKS):
            wrong.append(f"page {number + 1} does not say that it is of a rehearsal")
    return len(document), wrong


def print_all(visitor: Visitor, cup: str, folder: Path) -> int:
    page, mistakes = visitor.page, 0
    visitor.go(f"/campeonatos/{cup}/papel")
    page.locator("input[type=radio]").first.wait_for(state="attached", timeout=MINUTES * 60_000)
    rehearsal = page.locator(".notice").count() > 0
    every = page.locator("input[type=checkbox]")
    if every.count():
        every.check()
    for sheet in SHEETS:
        begun = time.monotonic()
        page.locator(f"input[type=radio][value={sheet}]").check(force=True)
        page.wait_for_load_state("networkidle")
        pdf = page.pdf(format="A4", prefer_css_page_size=True)
        took = time.monotonic() - begun
        (folder / f"{sheet}.pdf").write_bytes(pdf)
        pages, wrong = wrong_pages(pdf, rehearsal=rehearsal)
        print(f"{sheet:10} {pages:5} pages {len(pdf) / 1e6:6.1f} MB {took:6.1f} s  {'; '.join(wrong[:3])}", flush=True)
        mistakes += len(wrong)
    return mistakes


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--language", choices=["pt-PT", "en-GB"], default="pt-PT")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tabuleiro-prints-") as data:
        command = [sys.executable, "-m", "tabuleiro", "championship", "import", str(wanted.file), "--server"]
        made = subprocess.run([*command, "--data", data], check=True, stdout=subprocess.PIPE, text=True)
        site = Site(Path(data))
        try:
            with sync_playwright() as playwright:
                browser = open_browser(playwright)
                visitor = Visitor(browser, site, locale=wanted.language)
                visitor.context.set_default_timeout(MINUTES * 60_000)
                visitor.go(f"/entrar#l.{first_link(['--data', data])}")
                visitor.page.wait_for_url(lambda url: "/entrar" not in url)
                mistakes = print_all(visitor, made.stdout.strip(), wanted.folder)
                visitor.leave()
                browser.close()
        finally:
            site.stop()
    sys.exit(1 if mistakes else 0)


if __name__ == "__main__":
    main()
