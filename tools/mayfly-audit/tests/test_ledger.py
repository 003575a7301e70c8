# SPDX-License-Identifier: Apache-2.0
"""The ledger, its gate and its reports (SIM-049)."""
import json
import pathlib
import shutil
import subprocess

import jsonschema
import pytest

import clients
import repository
from mayfly_audit import cli, ledger
from mayfly_audit.ledger import LedgerError

SLOW = "# mavlink\ndef arrived(m):\n    return m.groundspeed < 0.3\n"
SCHEMA_PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
SCHEMA = "package/lib/schemas/sarif-2.1.0-rtm.5.json"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src/nav").mkdir(parents=True)
    (tmp_path / "src/nav/a.py").write_text(SLOW)
    pathlib.Path(ledger.NAME).write_text("version: 1\ncomponents:\n  src/nav: navigation\n  src/nav/other: other\nowners:\n  navigation: the pilots\n")
    repository.begin(tmp_path)
    return tmp_path


def run(*words):
    return cli.main(list(words))


def only():
    return ledger.load(ledger.NAME).entries[0]


def test_sim049_a_finding_goes_from_new_to_closed(tree, capsys):
    assert run("gate", "src", "--no-cache") == 1 and "new: arrived or landed" in capsys.readouterr().out
    assert run("scan", "src", "--no-cache", "--ledger", ledger.NAME) == 0
    entry = only()
    assert (entry.status, entry.component, entry.path, entry.line, entry.quantity) == ("open", "navigation", "src/nav/a.py", 3, "speed")
    assert run("gate", "src", "--no-cache") == 1 and " open: " in capsys.readouterr().out
    assert run("baseline") == 0 and run("gate", "src", "--no-cache") == 0
    (tree / "src/nav/b.py").write_text(SLOW.replace("0.3", "0.5"))
    assert run("gate", "src", "--no-cache") == 1
    (tree / "src/nav/b.py").unlink()
    (tree / "src/nav/a.py").write_text("# mavlink\n")
    capsys.readouterr()
    assert run("scan", "src", "--no-cache", "--ledger", ledger.NAME) == 0
    assert f"{entry.id} is not found any more" in capsys.readouterr().err
    commit = repository.commit(tree)
    assert run("close", entry.id, "--fixed", commit, "--verified-by", "tests/test_a.py") == 0
    assert (only().status, only().commit, only().verified_by) == ("fixed", commit, "tests/test_a.py")
    assert run("gate", "src", "--no-cache") == 0
    (tree / "src/nav/a.py").write_text(SLOW)
    assert run("gate", "src", "--no-cache") == 1 and "was fixed, and is back" in capsys.readouterr().out


def test_an_accepted_finding_passes_with_its_reason(tree):
    run("scan", "src", "--no-cache", "--ledger", ledger.NAME)
    assert run("close", only().id, "--accepted", "a display") == 0
    assert run("gate", "src", "--no-cache") == 0
    assert run("close", only().id) == 2 and run("close", "MA01-none", "--accepted", "x") == 2


@pytest.mark.parametrize("text, says", [
    ("version: 2\n", "version: must be 1"),
    ("version: 1\nfindings:\n- {id: x, status: done}\n", "x: status 'done': must be open, fixed, accepted"),
    ("version: 1\nfindings:\n- {id: x, status: fixed}\n", "x: status fixed needs a commit"),
    ("version: 1\nfindings:\n- {id: x, status: accepted}\n", "x: status accepted needs a reason"),
    ("version: 1\nfindings:\n- {id: x}\n- {id: x}\n", "x is given twice"),
    ("version: 1\nfindings:\n- {id: x, colour: red}\n", "x: unknown key colour"),
    ("version: [\n", "mayfly-audit.yaml: "),
])
def test_a_wrong_ledger_is_refused_with_the_place(tree, text, says):
    pathlib.Path(ledger.NAME).write_text(text)
    with pytest.raises(LedgerError, match=says.replace("(", "\\(")):
        ledger.load(ledger.NAME)
    assert run("gate", "src", "--no-cache") == 2


def test_sim049_reports_by_component(tree):
    run("scan", "src", "--no-cache", "--ledger", ledger.NAME, "--markdown", "r.md", "--html", "r.html")
    text = pathlib.Path("r.md").read_text()
    assert "## navigation" in text and "| src/nav/a.py:3 |" in text and "1 findings, 1 open" in text
    assert f"| the pilots | {repository.head(tree)} |  |" in text
    page = pathlib.Path("r.html").read_text()
    assert "owner the pilots; commit scanned " + repository.head(tree) in page
    assert "<mark>    3      return m.groundspeed &lt; 0.3</mark>" in page and "<script" not in page


def schema():
    folder = clients.BUILT / "sarif"
    if not (folder / SCHEMA).exists():
        if not shutil.which("npm"):
            pytest.skip("the schema of SARIF comes by npm, which is not here")
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(["npm", "pack", "--silent", SCHEMA_PACKAGE], cwd=folder, check=True, timeout=120, capture_output=True)
        subprocess.run(["tar", "xzf", *(p.name for p in folder.glob("*.tgz"))], cwd=folder, check=True, timeout=60)
    return json.loads((folder / SCHEMA).read_text())


def test_sim049_sarif_is_valid(tree):
    (tree / "src/nav/b.py").write_text(SLOW.replace("0.3", "0.5"))
    run("scan", "src", "--no-cache", "--ledger", ledger.NAME)
    run("close", only().id, "--accepted", "a display")
    run("report", "--sarif", "r.sarif")
    log = json.loads(pathlib.Path("r.sarif").read_text())
    jsonschema.validate(log, schema())
    results = log["runs"][0]["results"]
    assert [r["ruleId"] for r in results] == ["MA01", "MA01"]
    assert {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results} == {"src/nav/a.py", "src/nav/b.py"}
    assert [len(r.get("suppressions", ())) for r in results] in ([1, 0], [0, 1])
    base = log["runs"][0]["originalUriBaseIds"]["SRCROOT"]["uri"]
    assert base == tree.as_uri() + "/" and log["runs"][0]["versionControlProvenance"][0]["revisionId"].startswith(repository.head(tree))
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**log, "version": "2.0.0"}, schema())


def test_bad_words_are_refused(tree):
    for words in (("scan", "nowhere"), ("scan", "src", "--compile-commands", "none.json"), ("run",), ("report", "--ledger", "none.yaml"),
                  ("run", "--port", "tcp", "--", "true"), ("run", "--models", "warp", "--", "true"), ("run", "--set", "x", "--", "true")):
        assert run(*words) == 2
