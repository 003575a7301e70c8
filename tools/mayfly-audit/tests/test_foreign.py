# SPDX-License-Identifier: Apache-2.0
"""Trees, ledgers and names of strangers: nothing outside is written or shown, no cache is believed, no command goes out."""
import json
import os
import pathlib
import re

import pytest

import hostile
import mayfly_audit.files
from mayfly_audit import cli, ledger, text
from mayfly_audit.ledger import LedgerError
from mayfly_audit.report import html, markdown, sarif
from mayfly_audit.scan import scanner

SLOW = "# mavlink\ndef arrived(m):\n    return m.groundspeed < 0.3\n"
CACHE = ".mayfly-audit-cache"


@pytest.fixture
def tree(tmp_path, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    folder = tmp_path / "tree"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "a.py").write_text(SLOW)
    return folder


def run(*words):
    return cli.main(list(words))


def test_a_scan_writes_nothing_into_the_tree(tree, tmp_path):
    (tmp_path / "victim").write_text("mine")
    for name in (CACHE, CACHE + ".new"):
        (tree / name).symlink_to(tmp_path / "victim")
    before = sorted(os.listdir(tree))
    assert run("scan", ".") == 0
    assert ((tmp_path / "victim").read_text(), sorted(os.listdir(tree))) == ("mine", before)
    stored, = (tmp_path / "home/.cache/mayfly-audit").iterdir()
    assert (stored.stat().st_mode & 0o777, stored.parent.stat().st_mode & 0o777) == (0o600, 0o700)


@pytest.mark.parametrize("name", ["r.md", "r.html", "r.sarif", ledger.NAME])
def test_an_output_replaces_a_link_and_not_its_target(tree, tmp_path, name):
    (tmp_path / "victim").write_text("version: 1\n")
    (tree / name).symlink_to(tmp_path / "victim")
    (tree / (name + ".new")).symlink_to(tmp_path / "victim")
    option = {"r.md": "--markdown", "r.html": "--html", "r.sarif": "--sarif"}.get(name, "--ledger")
    assert run("scan", ".", option, name) == 0
    assert (tmp_path / "victim").read_text() == "version: 1\n"
    assert not (tree / name).is_symlink() and (tree / name).stat().st_size > 20


def test_a_mode_stays_and_a_device_is_written(tree, capfd):
    path = tree / "r.md"
    path.write_text("old")
    path.chmod(0o640)
    assert run("scan", ".", "--markdown", "r.md") == 0
    assert path.stat().st_mode & 0o777 == 0o640
    assert run("scan", ".", "--markdown", "/dev/stdout") == 0
    assert "# Client audit" in capfd.readouterr().out


def test_a_write_that_fails_leaves_nothing(tree, monkeypatch):
    def fails(*_):
        raise OSError("no")
    monkeypatch.setattr(mayfly_audit.files.os, "replace", fails)
    with pytest.raises(OSError):
        mayfly_audit.files.write_whole("x", "y")
    assert os.listdir(tree) == ["a.py"]


def test_a_cache_of_the_tree_is_not_believed(tree, tmp_path):
    """It says that nothing is found in a file with this content: the gate stays shut. Nor may a command line believe it."""
    run("scan", ".", "--cache", str(tmp_path / "c"))
    data = json.loads((tmp_path / "c").read_text())
    data["files"]["a.py"][2] = []
    (tmp_path / "c").write_text(json.dumps(data))
    assert run("gate", ".", "--cache", str(tmp_path / "c")) == 0        # this is what such a cache could do
    (tree / CACHE).write_text(json.dumps(data))
    assert run("gate", ".") == 1
    assert run("gate", ".", "--cache", CACHE) == 2
    (tree.parent / "link").symlink_to(tree / CACHE)
    assert run("gate", ".", "--cache", "../link") == 2


def test_the_cache_goes_by_content(tree):
    """A file of the same size and time, with other content, is read anew."""
    cache = scanner.cache_of(str(tree))
    assert len(scanner.scan(str(tree), cache).findings) == 1
    status = (tree / "a.py").stat()
    (tree / "a.py").write_text(SLOW.replace("0.3", "0.4"))
    os.utime(tree / "a.py", ns=(status.st_atime_ns, status.st_mtime_ns))
    second = scanner.scan(str(tree), cache)
    assert (second.read, second.findings[0].threshold) == (1, 0.4)
    os.utime(tree / "a.py")
    assert scanner.scan(str(tree), cache).read == 0
    for damaged in ("[1]", '{"version": 1}', json.dumps({"version": scanner.version(), "files": {"a.py": [1]}}), "[" * 5000):
        pathlib.Path(cache).write_text(damaged)
        assert scanner.scan(str(tree), cache).read == 1


def test_the_place_of_a_cache(tree, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert scanner.cache_of(".").startswith(os.environ["HOME"] + "/.cache/mayfly-audit/")
    monkeypatch.setenv("XDG_CACHE_HOME", "/elsewhere")
    assert scanner.cache_of(".").startswith("/elsewhere/mayfly-audit/")
    assert scanner.cache_of("..") != scanner.cache_of(".")


def test_what_is_not_a_file_is_left_out(tree):
    (tree / "zero.py").symlink_to("/dev/zero")
    os.mkfifo(tree / "pipe.py")
    result = scanner.scan(str(tree))
    assert [p.split(":")[0] for p in result.problems] == ["pipe.py", "zero.py"] and len(result.findings) == 1


NAMES = ["a\n::error file=x::y.py", "::warning ::x.py", "\r##vso[task.setvariable variable=a]b.py", "##[error]x.py", "##teamcity[x].py",
         "section_start:1:x\r\x1b[0K.py", "\x1b]0;title\x07.py", "\u202egnp.py", "\udcff.py", "<img src=x onerror=y>.py", "a|b`c`[d](e)_f_.py"]


@pytest.mark.parametrize("name", NAMES)
def test_names_write_no_lines_and_no_commands(tree, capsys, name):
    (tree / name).write_text(SLOW)
    bad = tree / ("bad" + name)
    bad.write_text("# mavlink speed\ndef f(:\n")
    for words in (("scan", "."), ("gate", "."), ("scan", ".", "--ledger", "l.yaml", "--markdown", "r.md", "--html", "r.html", "--sarif", "r.sarif"),
                  ("report", "--ledger", "l.yaml")):
        run(*words)
        out, err = capsys.readouterr()
        lines = (out + err).split("\n")
        assert all(c.isprintable() for one in lines for c in one), lines
        assert not [one for one in lines if re.search(r"^\s*::|##\w*\[", one)]
    document = (tree / "r.md").read_text()
    assert "<img" not in document and not re.search(r"^\s*::|##\w*\[", document, re.M)
    assert document.count("\n| MA01-") == 2
    assert "<img" not in (tree / "r.html").read_text()
    uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in json.loads((tree / "r.sarif").read_text())["runs"][0]["results"]]
    assert all(re.fullmatch(r"[A-Za-z0-9._~/%-]+", uri) for uri in uris) and "a.py" in uris


def test_texts_for_their_places():
    assert text.line("a\n\x1b[0K\t") == "a\\n\\x1b[0K\\t"
    assert text.line("  ::error::x") == "\\x3a:error::x"
    assert text.line("a ::b ## [c] ##vso[d]") == "a ::b ## [c] \\x23#vso[d]"
    assert text.markdown("<a|b>_c_ & [d](e)") == "&lt;a\\|b&gt;\\_c\\_ &amp; \\[d\\](e)"
    assert text.markdown_code("a|`b`\n<c>") == "`a\\|b\\n<c>`" and text.markdown_code("``") == ""
    assert text.sarif("see [x](y) \\") == "see \\[x\\](y) \\\\"


def test_a_strange_ledger_goes_into_reports_as_text():
    entry = ledger.Entry("X'><img src=x>-1", "<img>", component="<img>\n# head", path="../x", line=1, models=["<img>"], remedy="[a](b)",
                         code="`<img>`", suspects=["<img>"], status="accepted", reason="<img>|")
    document = markdown.write([entry], ["<img>"])
    assert "<img" not in document.replace("`<img>`", "") and document.count("\n# ") == 0 and "\n## &lt;img&gt;\\\\n# head\n" in document
    assert "<img" not in html.write(".", [entry], ["<img>"])
    found = json.loads(sarif.write([entry]))["runs"][0]["results"][0]
    assert (found["ruleIndex"], "\\[a\\]" in found["message"]["text"]) == (-1, True)


def test_a_page_shows_no_file_outside_of_the_tree(tree, tmp_path):
    (tmp_path / "secret").write_text("password")
    (tree / "link.py").symlink_to(tmp_path / "secret")
    for path in ("../secret", str(tmp_path / "secret"), "link.py"):
        assert "password" not in html.write(".", [ledger.Entry("MA01-1", "x", path=path, line=1)])
    assert "groundspeed" in html.write(".", [ledger.Entry("MA01-1", "x", path="a.py", line=1)])


@pytest.mark.parametrize("content, names", [
    ("findings: " + "[" * 40, "1: column 12"),
    ("- " * 33 + "x\n", "1: column 1"),
    ("version: 1\nversion: 1\n", "2: column 1"),
    ("version: 1\n{a: b}: c\n", "2: column 1"),
    ("version: 1\nmore: 1\n", "2: column 1"),
    ("%TAG !a! b\n---\nversion: 1\n", "%"),
    ("version: 1\ncomponents: {a: &a x, b: *a}\n", "2: column 26"),
    ("version: 1\ncomponents: {a: [x]}\n", "2: column 17"),
    ("version: 1\ncomponents: [x]\n", "components"),
    ("version: 1\nfindings:\n- {id: x, line: y}\n", "line 'y'"),
    ("version: 1\nfindings:\n- {id: x, models: [[x]]}\n", "3: column 20"),
    ("version: 1\nfindings:\n- {id: [x]}\n", "id"),
])
def test_a_ledger_of_another_shape_is_refused(tree, content, names):
    pathlib.Path("l.yaml").write_text(content)
    with pytest.raises(LedgerError, match=re.escape(names)):
        ledger.load("l.yaml")
    assert run("gate", ".", "--ledger", "l.yaml") == 2


def test_64_kb_of_a_hostile_text_are_refused_at_their_beginning(tree, monkeypatch):
    """Each of those that the readers in C have to stand: PyYAML reads a few events of it at most."""
    parse, seen = ledger.yaml.parse, []

    def counted(*arguments, **named):
        for event in parse(*arguments, **named):
            seen.append(event)
            yield event
    monkeypatch.setattr(ledger.yaml, "parse", counted)
    count = 0
    for content in hostile.texts():
        seen.clear()
        pathlib.Path("l.yaml").write_bytes(content)
        with pytest.raises(LedgerError):
            ledger.load("l.yaml")
        assert len(seen) <= 8, content[:40]
        count += 1
    assert count > 70
