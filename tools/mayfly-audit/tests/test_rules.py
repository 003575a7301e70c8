# SPDX-License-Identifier: Apache-2.0
"""Each rule finds what its page shows before, and nothing in what it shows after (SIM-048)."""
import pathlib
import re

import pytest

from mayfly_audit.scan import scanner
from mayfly_audit.scan.rules import RULES

PAGES = pathlib.Path(__file__).parents[3] / "docs" / "audit" / "rules"
BLOCK = re.compile(r"```(python|cpp|typescript)\n(.*?)```", re.S)
SUFFIX = {"python": ".py", "cpp": ".cpp", "typescript": ".ts"}


@pytest.mark.parametrize("rule", RULES, ids=lambda r: r.id)
def test_the_page_of_a_rule_has_an_example_before_and_after(rule):
    text = (PAGES / f"{rule.id}.md").read_text()
    before, after = (BLOCK.search(part) for part in text.split("## Before")[1].split("## After"))
    found = {f.rule for f in scanner.scan_text(before[2].encode(), "x" + SUFFIX[before[1]]).findings}
    assert rule.id in found
    assert rule.id not in {f.rule for f in scanner.scan_text(after[2].encode(), "x" + SUFFIX[after[1]]).findings}
    assert rule.title[0].upper() + rule.title[1:] in text and rule.remedy in text.replace("\n", " ")


SAME = {
    ".py": "# mavlink\ndef f(m):\n    speed = abs(m.groundspeed)\n    if speed < 0.3:\n        land()\n",
    ".cpp": "// mavlink\nvoid f(M *m) {\n  auto speed = std::abs(m->groundspeed);\n  if (speed < 0.3) land();\n}\n",
    ".c": "/* mavlink */\nvoid f(M *m) {\n  float speed = fabsf(m->groundspeed);\n  if (speed < 0.3f) land();\n}\n",
    ".go": "package p // mavlink\nfunc f(m *M) {\n  speed := math.Abs(m.Groundspeed)\n  if speed < 0.3 { land() }\n}\n",
    ".ts": "// mavlink\nfunction f(m: any) {\n  const speed = Math.abs(m.groundspeed)\n  if (speed < 0.3) land()\n}\n",
    ".js": "// mavlink\nfunction f(m) {\n  const speed = Math.abs(m.groundspeed)\n  if (speed < 0.3) land()\n}\n",
    ".cs": "// mavlink\nclass C { void F(M m) {\n  var speed = Math.Abs(m?.groundspeed ?? 0);\n  if (speed < 0.3f) Land();\n} }\n",
    ".java": "// mavlink\nclass C { void f(M m) {\n  double speed = Math.abs(m.groundspeed());\n  if (speed < 0.3) land();\n} }\n",
    ".rs": "// mavlink\nfn f(m: &VFR_HUD) {\n  let speed = m.groundspeed.abs();\n  if speed < 0.3 { land(); }\n}\n",
    ".kt": "// mavlink\nfun f(m: M) {\n  val speed = abs(m.groundspeed)\n  if (speed < 0.3) { land() }\n}\n",
    ".swift": "// mavlink\nfunc f(m: M) {\n  let speed = abs(m.groundspeed)\n  if speed < 0.3 { land() }\n}\n",
}


@pytest.mark.parametrize("suffix", SAME)
def test_eleven_languages_read_alike(suffix):
    found = scanner.scan_text(SAME[suffix].encode(), "x" + suffix).findings
    assert [(f.rule, f.line, f.quantity, f.unit, f.threshold) for f in found] == [("MA01", 4, "speed", "m/s", 0.3)]


CASES = {
    "across functions": ("# mavlink\ndef slow(v):\n    return v < 0.5\n\ndef f(m):\n    return slow(m.vx / 100.0)\n", ["MA01"]),
    "through a result": ("# mavlink\ndef read(m):\n    return m.groundspeed\n\ndef f(m):\n    x = read(m)\n    return x < 0.5\n", ["MA01"]),
    "through a member": ("# mavlink\nclass C:\n    def on(self, m):\n        self.a = m.climb\n    def f(self):\n        return abs(self.a) < 0.2\n",
                         ["MA01"]),
    "waiting for it to stop": ("# mavlink\ndef f(m):\n    while m.groundspeed > 0.1:\n        pass\n", ["MA01"]),
    "not (it moves)": ("# mavlink\ndef f(m):\n    if not m.groundspeed > 0.1:\n        pass\n", ["MA01"]),
    "a sign": ("# mavlink\ndef f(m):\n    return m.climb > 0\n", []),
    "a guard of a division": ("# mavlink\ndef f(m, a):\n    return a / m.groundspeed if m.groundspeed > 0.1 else 0\n", []),
    "a setting": ("# mavlink\ndef f(c):\n    return c.max_speed < 3\n", []),
    "another speed": ("# mavlink\ndef f(c):\n    return c.wind_speed < 3 or c.baud_speed < 9 or c.motor_speed > 4\n", []),
    "a part of a word": ("# mavlink\ndef f(c):\n    return c.speedup < 3 or c.velvet > 4 or c.novelty < 1\n", []),
    "not about vehicles": ("def f(particle):\n    return particle.speed < 3\n", []),
    "a short sleep": ("# mavlink\nimport time\ndef f(v):\n    v.takeoff()\n    time.sleep(1)\n", []),
    "a sleep without a command": ("# mavlink\nimport time\ndef f(v):\n    v.connect()\n    time.sleep(5)\n", []),
    "cm/s": ("# mavlink\ndef f(link):\n    m = link.recv_match(type='GLOBAL_POSITION_INT')\n    return m.vx < 30\n", ["MA01"]),
}


@pytest.mark.parametrize("name", CASES)
def test_case(name):
    text, rules = CASES[name]
    found = scanner.scan_text(text.encode(), "x.py").findings
    assert [f.rule for f in found] == rules
    if name == "cm/s":
        assert (found[0].unit, found[0].threshold) == ("cm/s", 30.0)


def test_macros_of_c_are_constants_and_functions():
    text = ("// mavlink\n#define ARRIVED_MPS 0.3f\n#define SLOW(v) \\\n    ((v) < ARRIVED_MPS)\n#define ODD(x) for (;;) x\n"
            "bool f(M *m) { return m->groundspeed < ARRIVED_MPS; }\nbool g(M *m) { return SLOW(m->groundspeed); }\n")
    found = scanner.scan_text(text.encode(), "x.cpp").findings
    assert [(f.line, f.rule, f.threshold) for f in found] == [(3, "MA01", 0.3), (6, "MA01", 0.3)]
