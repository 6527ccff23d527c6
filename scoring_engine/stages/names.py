"""What the stages of the texts are called, for sentences to people; a code that no text has a name for stays a code."""

from __future__ import annotations

from collections.abc import Mapping

STAGE_WORDS: Mapping[str, str] = {
    "prelim": "初赛",
    "semifinal": "复赛",
    "final": "决赛",
    "swiss": "积分编排",
    "knockout": "单场淘汰",
    "playoff": "加赛",
}
"""Code of a stage -> its name in Chinese; English sentences name the code itself."""


def stage_words(code: str) -> str:
    """A stage in a Chinese sentence: 初赛, or 阶段 x."""
    return STAGE_WORDS.get(code, f"阶段 {code}")
