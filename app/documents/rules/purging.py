"""The report of a purge (删除报告): what it says, how it is written down and checked."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from app import signing
from app.actors import Actor, Role
from app.errors import InvalidError, NotFoundError
from app.text import T

FORMAT = "saishi purge report"
VERSION = 1

READERS = (Role.COMMITTEE, Role.ORGANISER)
"""Who reads the reports of a competition."""


ROW_NAMES: Mapping[str, T] = {
    "documents": T("材料"),
    "revisions": T("提交记录和填写的内容"),
    "decisions": T("审核意见"),
    "readings": T("文字核对"),
    "signatures": T("签名"),
    "pages": T("页的记录"),
    "uploads": T("上传的文件记录（含文件名）"),
    "letters": T("来信（内容、发件人和附件）"),
    "objections": T("异议（文件、内容和提出人）"),
    "deletion_requests": T("删除请求"),
    "document_requests": T("组委会的提交要求"),
    "document_warnings": T("临期提醒"),
    "change_applications": T("变更申请（理由、内容和答复）"),
    "members": T("身份证号和手机号（人）"),
    "contacts": T("联系人"),
}
"""What the counts of a report are of."""

ROLE_NAMES: Mapping[str, T] = {
    "content": T("原件"),
    "preview": T("预览"),
    "thumbnail": T("缩略图"),
    "piece": T("上传的分片"),
    "letter": T("邮件原文"),
    "signed_sheet": T("签名页"),
}
"""What a deleted file was."""


class NoReportError(NotFoundError):
    code = "no_purge_report"

    def __init__(self) -> None:
        super().__init__(T("没有这份删除报告。"), next_step=T("请从“个人信息”页进入。"))


class ReportUnreadableError(InvalidError):
    """A file that is no purge report."""

    code = "purge_report_unreadable"

    def __init__(self) -> None:
        super().__init__(
            T("这不是一份删除报告。"), next_step=T("请使用从“个人信息”页下载的 JSON 文件，不要改动。")
        )


def require_may_read(actor: Actor, competition_id: int) -> None:
    actor.require(competition_id, *READERS)


@dataclass(frozen=True, slots=True)
class PurgedFile:
    """One file that was deleted: hash and bytes of its plain content, what it was, of which kind of document; no name."""

    kind: str
    role: str
    sha256: str
    size: int


def body_of(
    *,
    competition: str,
    made_at: datetime,
    purge_day: date,
    purge_days: int,
    rows: Mapping[str, int],
    files: list[PurgedFile],
) -> str:
    """The report as canonical JSON: sorted keys, no spaces, UTF-8; moments in UTC. Its bytes are what is signed.

    ``rows`` counts what was deleted or blanked, by table or kind of data.
    """
    return canonical(
        {
            "format": FORMAT,
            "version": VERSION,
            "competition": competition,
            "made_at": made_at.isoformat(),
            "settings": {"purge_days": purge_days, "purge_day": purge_day.isoformat()},
            "rows": {name: rows[name] for name in rows},
            "file_count": len(files),
            "byte_count": sum(each.size for each in files),
            "files": [
                {"kind": each.kind, "role": each.role, "sha256": each.sha256, "size": each.size}
                for each in sorted(files, key=lambda each: (each.kind, each.role, each.sha256, each.size))
            ],
        }
    )


def canonical(document: Any) -> str:
    """The one way to write a document of texts, whole numbers, lists and mappings."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def signed(body: str, signature: str, public_key: str) -> str:
    """The file that is handed out: report, signature and the public key that checks it."""
    document = {"report": json.loads(body), "signature": signature, "public_key": public_key}
    return json.dumps(document, sort_keys=True, indent=2, ensure_ascii=False) + "\n"


@dataclass(frozen=True, slots=True)
class Checked:
    """What a look at a report's file found. ``report`` as it stands in the file, whether or not the signature fits."""

    report: Mapping[str, Any]
    public_key: str
    fits: bool


def check(text: str) -> Checked:
    """Whether the signature in a report's file fits report and public key. Raises ``ReportUnreadableError``."""
    try:
        document = json.loads(text, object_pairs_hook=_once, parse_float=_refuse, parse_constant=_refuse)
        report, signature, public_key = (document[name] for name in ("report", "signature", "public_key"))
        if set(document) != {"report", "signature", "public_key"} or report["format"] != FORMAT:
            raise ReportUnreadableError
        body = canonical(report)
        return Checked(report, public_key, signing.fits(body, str(signature), str(public_key)))
    except (ValueError, KeyError, TypeError, RecursionError) as error:  # UnicodeError is a ValueError
        raise ReportUnreadableError from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A name that stands twice would let two readers read two reports."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _refuse(written: str) -> Any:
    raise ValueError(f"no number of a report: {written}")
