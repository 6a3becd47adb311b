"""The reference of the library, as Markdown, from its docstrings."""

import ast
import importlib
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

#: What programs may rely on, and what they are likely to look for.
MODULES = (
    "tabuleiro",
    "tabuleiro.core",
    "tabuleiro.record",
    "tabuleiro.collection",
    "tabuleiro.batches",
    "tabuleiro.search",
    "tabuleiro.players",
    "tabuleiro.solve",
    "tabuleiro.puzzles",
    "tabuleiro.learn",
    "tabuleiro.championship",
    "tabuleiro.native",
    "tabuleiro.nn",
    "tabuleiro.faces.gymnasium",
    "tabuleiro.faces.pettingzoo",
    "tabuleiro.faces.openspiel",
    "tabuleiro.programs",
    "tabuleiro.hexformats",
    "tabuleiro.svg",
    "tabuleiro.text",
    "tabuleiro.rulebook",
)


def reference(name: str) -> str:
    """The page of a module."""
    module = importlib.import_module(name)
    parts = [f"# {name}", told(module.__doc__)]
    for public, thing in members(module):
        if inspect.isclass(thing):
            parts += [*class_parts(public, thing)]
        else:
            parts += [f"## {public}", code(f"def {public}{signature(thing)}"), told(inspect.getdoc(thing))]
    return "\n\n".join(part for part in parts if part)


def members(module: ModuleType) -> Iterator[tuple[str, Any]]:
    """Public classes and functions: those that the module names, else its own."""
    listed = getattr(module, "__all__", None)
    for name in listed or [each for each in vars(module) if not each.startswith("_")]:
        thing = getattr(module, name)
        own = listed is not None or getattr(thing, "__module__", None) == module.__name__
        if own and (inspect.isclass(thing) or inspect.isfunction(thing)):
            yield name, thing


def class_parts(name: str, kind: type) -> Iterator[str]:
    yield f"## {name}"
    bases = ", ".join(base.__name__ for base in kind.__bases__ if base is not object)
    yield code(f"class {name}({bases})" if bases else f"class {name}")
    # Data classes without words of their own have made ones, which only repeat their fields.
    doc = kind.__dict__.get("__doc__")
    yield told("" if doc and doc.startswith(f"{name}(") else doc)
    if fields := [*field_lines(kind)]:
        yield "\n".join(fields)
    for own, thing in vars(kind).items():
        if own.startswith("_"):
            continue
        bare = thing.__func__ if isinstance(thing, classmethod | staticmethod) else thing
        if isinstance(thing, property):
            yield f"### {name}.{own}"
            yield told(inspect.getdoc(thing.fget))
        elif inspect.isfunction(bare):
            yield f"### {name}.{own}"
            yield code(f"{'async ' if inspect.iscoroutinefunction(bare) else ''}def {own}{signature(bare)}")
            yield told(inspect.getdoc(bare))


def field_lines(kind: type) -> Iterator[str]:
    """The public fields of a class, with what the comments before them say."""
    try:
        lines = inspect.cleandoc("\n" + inspect.getsource(kind)).splitlines()
        (tree,) = ast.parse("\n".join(lines)).body
    except (OSError, TypeError, SyntaxError, ValueError):
        return
    assert isinstance(tree, ast.ClassDef)
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name) and node.target.id[0] != "_":
            said: list[str] = []
            at = node.lineno - 2
            while lines[at].strip().startswith("#:"):
                said.insert(0, lines[at].strip().removeprefix("#:").strip())
                at -= 1
            comment = f": {' '.join(said)}" if said else ""
            yield f"- `{node.target.id}: {ast.unparse(node.annotation)}`{comment}"


def signature(thing: Any) -> str:
    try:
        return re.sub(r"<([\w.]+)[^>]*>", r"\1", str(inspect.signature(thing)))
    except (TypeError, ValueError):
        return "(…)"


def code(text: str) -> str:
    return f"```python-signature\n{text}\n```"


def told(doc: str | None) -> str:
    """A docstring as Markdown: examples stand in fences, whether they are indented or not."""
    written: list[str] = []
    is_example = False
    for line in inspect.cleandoc(doc or "").splitlines():
        bare = line.strip()
        begins = bare.startswith(">>> ")
        if begins and not is_example:
            written.append("\n```python-example")
            is_example = True
        elif is_example and not bare:
            written.append("```")
            is_example = False
        written.append(bare if is_example and line.startswith("    ") else line)
    if is_example:
        written.append("```")
    return "\n".join(written)
