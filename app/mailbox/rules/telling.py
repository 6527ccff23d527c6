"""Codes in words: why the mailbox cannot be read, and what of a message could not."""

from __future__ import annotations

from datetime import timedelta

from app.mail.parsing import Problem
from app.text import T

QUIET = timedelta(minutes=10)
"""How long the mailbox may be away before it is said on the staff board: servers are restarted."""

_FAILURES: dict[str, T] = {
    "unreachable": T("连不上邮件服务器"),
    "tls": T("服务器的证书不可信"),
    "no_tls": T("服务器不提供加密连接，没有登录"),
    "login": T("用户名或密码不对"),
    "folder": T("没有这个文件夹"),
    "slow": T("服务器没有回答"),
    "lost": T("连接中途断开"),
    "refused": T("服务器不交出其中一封"),
    "unstored": T("其中一封没能存下，其余的照收"),
    "protocol": T("服务器的回答读不懂"),
    "store": T("文件存储不可用"),
}

PROBLEMS: dict[Problem, T] = {
    Problem.EMPTY: T("邮件是空的"),
    Problem.CUT: T("邮件太长，只读了前面一部分"),
    Problem.NO_HEADERS: T("没有邮件头"),
    Problem.NO_BOUNDARY: T("邮件的分段坏了，按原样显示"),
    Problem.TOO_DEEP: T("转发嵌套太深，里层没有读"),
    Problem.TOO_MANY_PARTS: T("邮件分段太多，后面的没有读"),
    Problem.TOO_MANY_FILES: T("附件太多，后面的没有收"),
    Problem.TEXT_CUT: T("正文太长，只显示前面一部分"),
    Problem.TNEF: T("附件是 Outlook 专用格式（winmail.dat），打不开"),
    Problem.SEALED: T("邮件内容加密，读不出"),
    Problem.SIGNED: T("带数字签名，没有核验"),
    Problem.UNREADABLE: T("这封邮件读不出"),
}


def why_failing(code: str | None) -> T:
    """Why the mailbox cannot be read, by the code of ``MailboxDownError``."""
    return _FAILURES.get(code or "", _FAILURES["protocol"])


def told_problems(codes: tuple[str, ...]) -> tuple[T, ...]:
    """What of a message could not be read; a code that this version does not know is left out."""
    return tuple(sentence for problem, sentence in PROBLEMS.items() if problem.value in codes)
