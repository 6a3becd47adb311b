"""Draws the icons of the installed site from `public/icon.svg`, in the sizes that systems ask for:

python web/icons.py
"""

from pathlib import Path

from playwright.sync_api import sync_playwright

PUBLIC = Path(__file__).parent / "public"
CHROMIUM = "/usr/bin/chromium"
#: Of the page, light: what shows where a system cuts a shape out of a maskable icon.
GROUND = "#f7f1e6"
#: By name: pixels, and how much of them the drawing takes. Systems cut up to a fifth off a maskable icon.
ICONS = {"icon-180": (180, 0.86), "icon-192": (192, 1.0), "icon-512": (512, 1.0), "icon-maskable-512": (512, 0.66)}


def main() -> None:
    drawing = (PUBLIC / "icon.svg").read_text("utf-8")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, (pixels, share) in ICONS.items():
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            ground = GROUND if share < 1 else "transparent"
            page.set_content(
                f"<style>body{{margin:0;display:grid;place-items:center;height:100vh;background:{ground}}}"
                f"svg{{width:{share * pixels}px}}</style>{drawing}"
            )
            page.screenshot(path=PUBLIC / f"{name}.png", omit_background=True)
        browser.close()


if __name__ == "__main__":
    main()
