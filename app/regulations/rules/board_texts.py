"""Sentences of the rules page for board games (围棋, 象棋), made from the rows that compute."""

from app.regulations.rules.texts import Bilingual
from scoring_engine.rules import BoardRules, StageRule
from scoring_engine.values import decimal_text

BYE_NAMES = {
    "bye": Bilingual("轮空", "A bye"),
    "half": Bilingual("申请轮空", "A requested bye"),
    "zero": Bilingual("零分轮空", "A bye without points"),
    "absent": Bilingual("没有参加编排的", "A round not played"),
}


def swiss_stage(stage: StageRule) -> list[Bilingual]:
    """积分编排: how many rounds, and how large a group may be."""
    rows = [
        Bilingual(
            f"共 {stage.rounds} 轮，每轮一局。",
            f"{stage.rounds} rounds, one game each.",
        )
    ]
    if stage.group is not None:
        low, high = stage.group
        rows.append(
            Bilingual(
                f"每组不少于 {low} 人，不超过 {high} 人。",
                f"A group has at least {low} and at most {high} players.",
            )
        )
    return rows


def board_scoring(board: BoardRules) -> list[Bilingual]:
    """What a game, a forfeit and each kind of bye is worth."""
    win, draw, loss = (decimal_text(points) for points in (board.win, board.draw, board.loss))
    forfeit_win, forfeit_loss = decimal_text(board.forfeit_win), decimal_text(board.forfeit_loss)
    rows = [
        Bilingual(
            f"胜一局得 {win} 分，和一局得 {draw} 分，负一局得 {loss} 分。",
            f"A win is worth {win}, a draw {draw}, a loss {loss}.",
        ),
        Bilingual(
            f"一方弃权的，对方得 {forfeit_win} 分，弃权方得 {forfeit_loss} 分；双方弃权的，各得 {forfeit_loss} 分。",
            f"Where one side forfeits, the other gets {forfeit_win} and it gets {forfeit_loss}; "
            f"where both do, each gets {forfeit_loss}.",
        ),
    ]
    for kind, points in board.byes.items():
        name, worth = BYE_NAMES[kind], decimal_text(points)
        rows.append(Bilingual(f"{name.zh}一轮得 {worth} 分。", f"{name.en} is worth {worth}."))
    return rows
