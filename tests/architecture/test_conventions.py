"""The house rules that a machine can check."""

import ast
import inspect
import re
from functools import cache
from pathlib import Path

import pytest

import sfumato as sf
from sfumato.privacy.catalogue import measures
from sfumato.utility.catalogue import utility_models

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "sfumato"
FILES = sorted(SOURCE.rglob("*.py"))
# What may have one name in two places: a reader and a writer of a format, an objective and the utility model that it is
# named after. A member of a family is known by the name of its class.
SAME_BY_DESIGN = (
    {"tables/read", "tables/write"},
    {"search/objectives", "utility/models"},
)


@cache
def tree(path: Path) -> ast.Module:
    """A file as the parser sees it, once for all rules."""
    return ast.parse(path.read_text(encoding="utf-8"))


def functions():
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                yield f"{path.relative_to(SOURCE)}:{node.name}", node


def length(node) -> int:
    docstring = node.body[0] if ast.get_docstring(node) else None
    lines = node.end_lineno - node.lineno + 1
    return lines - (docstring.end_lineno - docstring.lineno + 1 if docstring else 0)


def test_a_function_is_one_thought():
    """Commands are as long as their options, migrations as their tables; the rest is read without turning a page."""
    lists = ("cli/", "service/migrations/versions/")
    long = {name: length(node) for name, node in functions() if length(node) > 80 and not name.startswith(lists)}
    assert long == {}


def test_a_file_is_one_concept():
    long = {str(path.relative_to(SOURCE)): lines for path in FILES
            if path.parent.name != "versions"  # migrations, which list tables
            and (lines := len(path.read_text(encoding="utf-8").splitlines())) > 400}  # fmt: skip
    assert long == {}


def bare_constants():
    """Numbers that a module of the search sets for itself, without a word on why they are what they are."""
    for folder in ("search", "privacy/coded"):
        for path in sorted((SOURCE / folder).rglob("*.py")):
            lines = path.read_text(encoding="utf-8").splitlines()
            for node in ast.parse("\n".join(lines)).body:
                if not (isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)):
                    continue
                if not isinstance(node.value.value, int | float) or isinstance(node.value.value, bool):
                    continue
                if "#" not in lines[node.lineno - 1] and not lines[node.lineno - 2].lstrip().startswith("#"):
                    yield f"{path.relative_to(SOURCE)}:{node.lineno}"


def test_a_constant_of_the_search_says_why_it_has_its_value():
    assert list(bare_constants()) == []


def bound_names():
    """Every name that is given to something: variables, parameters and fields, but not the keys of documents."""
    for path in FILES:
        if path.parent.name == "documents":
            continue
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node.id
            elif isinstance(node, ast.arg):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node.arg


def test_a_variable_is_named_after_what_is_in_it():
    """`found` stands for nothing: everything that a function returns was found."""
    assert [place for place, name in bound_names() if name.strip("_") == "found"] == []


def test_no_module_is_named_by_a_participle():
    """A module is named by what it holds: a pairing and a recoding are things, and `making` is none."""
    participles = re.compile(r"^(\w+ing|found|made|sought|kept|seen|told|beside)$")
    nouns = {"pairing", "release_setting", "recoding", "local_recoding", "coarser_reading", "meaning", "root_finding"}
    assert [
        path for path in FILES if participles.match(path.stem) and path.stem not in nouns and path.stem != "read"
    ] == []


def test_no_two_public_classes_have_one_name():
    homes: dict[str, list[str]] = {}
    for path in FILES:
        for node in tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append("/".join(path.relative_to(SOURCE).parts[:2]))
    twice = {name: places for name, places in homes.items()
             if len(places) > 1 and set(places) not in SAME_BY_DESIGN}  # fmt: skip
    assert twice == {}


def test_no_file_is_a_bag_of_things():
    banned = {"utils", "helpers", "misc", "common", "manager"}
    assert [path for path in FILES if path.stem in banned] == []
    named = [name for name, _ in functions() if name.split(":")[1].startswith(("process_", "do_"))]
    hooks = ["process_bind_param", "process_result_value"]  # by these names SQLAlchemy calls a type of a column
    assert [name for name in named if name.split(":")[1] not in hooks] == []


def test_every_file_says_what_it_is():
    silent = [path for path in FILES if not ast.get_docstring(tree(path))]
    assert silent == []


def calls():
    for path in FILES:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield f"{path.relative_to(SOURCE)}:{node.lineno}", node.func.id


def test_nothing_prints_behind_the_door():
    assert [place for place, name in calls() if name == "print"] == []


@pytest.mark.parametrize("cls", measures().values(), ids=measures().keys())
def test_a_measure_states_its_formula_its_source_and_an_example(cls):
    for part in (".. math::", "References\n", "Examples\n", ">>> "):
        assert part in cls.__doc__
    assert cls.__dataclass_params__.frozen
    for words in ("family", "column", "plainly"):
        assert getattr(cls, words)


@pytest.mark.parametrize("cls", utility_models().values(), ids=utility_models().keys())
def test_a_utility_model_states_its_formula_its_bounds_and_an_example(cls):
    for part in (".. math::", "Examples\n", ">>> "):
        assert part in cls.__doc__
    assert cls.__dataclass_params__.frozen
    for words in ("bounds", "plainly", "applies_to"):
        assert getattr(cls, words)


def test_no_file_names_the_host_of_a_package_registry():
    hosts = re.compile(
        "|".join(("py" + r"pi\.org", "python" + r"hosted\.org", "registry" + r"\.npmjs", "repo1" + r"\.maven"))
    )
    texts = (path for folder in ("src", "docs") for path in (ROOT / folder).rglob("*") if path.is_file())
    named = [path for path in texts if hosts.search(path.read_text(encoding="utf-8", errors="ignore"))]
    assert named == []


@pytest.mark.parametrize("name", sf.__all__)
def test_every_public_name_is_there_and_says_what_it_is(name):
    assert inspect.getdoc(getattr(sf, name))
    assert getattr(sf, name).__module__.startswith("sfumato.")


def test_the_public_names_are_sorted_and_a_wrong_one_is_an_attribute_error():
    assert sf.__all__ == sorted(sf.__all__)
    assert set(sf.__all__) <= set(dir(sf))
    with pytest.raises(AttributeError, match="asess"):
        sf.asess  # noqa: B018


def test_every_error_of_ours_is_one_of_ours():
    import sfumato.errors

    classes = [
        cls for _, cls in inspect.getmembers(sfumato.errors, inspect.isclass) if cls.__module__ == "sfumato.errors"
    ]
    assert len(classes) > 8
    assert all(issubclass(cls, sf.SfumatoError) and inspect.getdoc(cls) for cls in classes)
