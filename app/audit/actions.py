"""Every act that is recorded, in one list."""

from __future__ import annotations

from enum import StrEnum


class AuditAction(StrEnum):
    """What was done; the value is stored and stays the same for ever."""

    # 账号
    SIGN_IN_CODE_REQUESTED = "sign_in_code.requested"
    SIGN_IN_CODE_TRIED = "sign_in_code.tried"
    SIGNED_IN = "user.signed_in"
    ROLE_GRANTED = "role.granted"
    ROLE_WITHDRAWN = "role.withdrawn"
    EMAIL_GIVEN = "email.given"
    EMAIL_CONFIRMED = "email.confirmed"
    EMAIL_REMOVED = "email.removed"
    LANGUAGE_CHOSEN = "language.chosen"
    USERS_FORGOTTEN = "users.forgotten"
    SIGN_IN_CODES_PURGED = "sign_in_codes.purged"
    # 消息
    MESSAGE_QUEUED = "message.queued"
    MESSAGE_CLAIMED = "message.claimed"
    MESSAGE_SENT = "message.sent"
    MESSAGE_BOUNCED = "message.bounced"
    MESSAGE_RESENT = "message.resent"
    MESSAGES_PURGED = "messages.purged"
    MAIL_STOPPED = "mail.stopped"
    MAIL_RESUMED = "mail.resumed"
    # 工作日
    WORKDAY_YEAR_ENTERED = "workday_year.entered"
    # 规程、赛事
    REGULATION_FROZEN = "regulation.frozen"
    REGULATION_DRAFT_STARTED = "regulation_draft.started"
    REGULATION_DRAFT_SAVED = "regulation_draft.saved"
    REGULATION_DRAFT_CLOSED = "regulation_draft.closed"
    REGULATION_PUBLISHED = "regulation.published"
    REGULATION_IN_FORCE = "regulation.in_force"
    COMPETITION_CREATED = "competition.created"
    # 报名
    PRIVACY_NOTICE_AGREED = "privacy_notice.agreed"
    UNIT_SAVED = "unit.saved"
    MEMBER_ADDED = "member.added"
    MEMBER_CHANGED = "member.changed"
    MEMBER_REMOVED = "member.removed"
    ENTRY_ADDED = "entry.added"
    ENTRY_CHANGED = "entry.changed"
    ENTRY_REMOVED = "entry.removed"
    ENTRY_REPLACED = "entry.replaced"
    REGISTRATION_SUBMITTED = "registration.submitted"
    PERSONAL_DATA_READ = "personal_data.read"
    PERSONAL_DATA_PURGED = "personal_data.purged"
    PERSONAL_DATA_EXPORTED = "personal_data.exported"
    PERSONAL_DATA_DELETED = "personal_data.deleted"
    PURGE_HELD = "purge.held"
    PURGE_HOLD_RELEASED = "purge.hold_released"
    ENTRY_APPROVED = "entry.approved"
    ENTRY_REJECTED = "entry.rejected"
    ENTRY_APPROVAL_REVOKED = "entry.approval_revoked"
    CHANGE_APPLIED = "change.applied"
    CHANGE_GRANTED = "change.granted"
    CHANGE_REFUSED = "change.refused"
    CHANGE_TAKEN_BACK = "change.taken_back"
    CHANGE_OVERTAKEN = "change.overtaken"
    CHANGE_LETTER_READ = "change.letter_read"
    CHANGES_ERASED = "changes.erased"
    # 上传
    UPLOAD_BEGUN = "upload.begun"
    UPLOAD_RECEIVED = "upload.received"
    UPLOAD_CHECKED = "upload.checked"
    UPLOADS_CLAIMED = "uploads.claimed"
    UPLOAD_DISCARDED = "upload.discarded"
    UPLOADS_EXPIRED = "uploads.expired"
    UPLOADS_ERASED = "uploads.erased"
    ORPHANED_FILES_DELETED = "orphaned_files.deleted"
    FILE_KEYS_ROTATED = "file_keys.rotated"
    # 来信
    MAIL_RECEIVED = "mail.received"
    MAIL_PROCESSED = "mail.processed"
    MAIL_READ = "mail.read"
    MAIL_ASSIGNED = "mail.assigned"
    MAIL_SET_ASIDE = "mail.set_aside"
    MAIL_TAKEN_UP = "mail.taken_up"
    MAIL_PURGED = "mail.purged"
    MAILBOX_POLLED = "mailbox.polled"
    MAILBOX_NUMBERED = "mailbox.numbered"
    # 公告
    ANNOUNCEMENT_MADE = "announcement.made"
    ANNOUNCEMENT_CHANGED = "announcement.changed"
    ANNOUNCEMENT_WITHDRAWN = "announcement.withdrawn"
    # 材料
    DOCUMENT_HANDED_IN = "document.handed_in"
    DOCUMENT_SIGNED = "document.signed"
    DOCUMENT_SHEET_MADE = "document.sheet_made"
    DOCUMENT_SHEET_GIVEN_UP = "document.sheet_given_up"
    DOCUMENT_TEXT_CHECKED = "document.text_checked"
    DOCUMENT_LINK_MADE = "document.signing_link_made"
    DOCUMENT_WITHDRAWN = "document.withdrawn"
    DOCUMENT_ASKED_FOR = "document.asked_for"
    DOCUMENT_WARNINGS_SENT = "document.warnings_sent"
    DOCUMENT_READ = "document.read"
    DOCUMENT_CLAIMED = "document.claimed"
    DOCUMENT_RELEASED = "document.released"
    DOCUMENT_ACCEPTED = "document.accepted"
    DOCUMENT_SENT_BACK = "document.sent_back"
    DOCUMENT_REJECTED = "document.rejected"
    DOCUMENT_DECISION_TAKEN_BACK = "document.decision_taken_back"
    DELETION_ASKED = "deletion.asked"
    DELETION_ANSWERED = "deletion.answered"
    DOCUMENTS_PURGED = "documents.purged"
    PURGED_FILES_DELETED = "purged_files.deleted"
    PURGE_REPORTED = "purge.reported"
    # 公示
    LIST_PUBLISHED = "list.published"
    LIST_SUPERSEDED = "list.superseded"
    LIST_FINAL = "list.final"
    LIST_REOPENED = "list.reopened"
    NUMBERS_GIVEN = "numbers.given"
    # 异议
    OBJECTION_TURNED_AWAY = "objection.turned_away"
    OBJECTION_LODGED = "objection.lodged"
    OBJECTION_ADDED_TO = "objection.added_to"
    OBJECTION_SENT_BACK = "objection.sent_back"
    OBJECTION_ASSIGNED = "objection.assigned"
    OBJECTION_IDENTIFIED = "objection.identified"
    OBJECTION_ACCEPTED = "objection.accepted"
    OBJECTION_REFUSED = "objection.refused"
    OBJECTION_EXPIRED = "objection.expired"
    OBJECTION_RECUSED = "objection.recused"
    OBJECTION_HEARING_ASKED = "objection.hearing_asked"
    OBJECTION_HEARING_ANSWERED = "objection.hearing_answered"
    OBJECTION_UPHELD = "objection.upheld"
    OBJECTION_DISMISSED = "objection.dismissed"
    OBJECTION_WITHDRAWN = "objection.withdrawn"
    OBJECTION_READ = "objection.read"
    OBJECTION_FILE_READ = "objection.file_read"
    OBJECTIONS_PURGED = "objections.purged"
    # 抽签
    DRAW_COMMITTED = "draw.committed"
    DRAW_CONTRIBUTED = "draw.contributed"
    DRAW_COMMITMENT_WITHDRAWN = "draw.commitment_withdrawn"
    ROUND_DRAWN = "round.drawn"
    ROUND_VOIDED = "round.voided"
    ENTRANTS_DIVIDED = "division.drawn"
    DIVISION_VOIDED = "division.voided"
    ATTENDANCE_MARKED = "attendance.marked"
    ATTENDANCE_TAKEN_BACK = "attendance.taken_back"
    RULING_ACCEPTED = "ruling.accepted"
    RULING_REFUSED = "ruling.refused"
    REPAIR_OPENED = "draw_repair.opened"
    REPAIR_CHANGED = "draw_repair.changed"
    REPAIR_CONFIRMED = "draw_repair.confirmed"
    REPAIR_CANCELLED = "draw_repair.cancelled"
    # 成绩
    SHEET_REVISED = "sheet.revised"
    SHEET_HANDED_IN = "sheet.handed_in"
    SHEET_REOPENED = "sheet.reopened"
    # 名次
    LOTS_COMMITTED = "lots.committed"
    LOTS_CONTRIBUTED = "lots.contributed"
    LOTS_WITHDRAWN = "lots.withdrawn"
    LOTS_DRAWN = "lots.drawn"
    STANDINGS_RECOMPUTED = "standings.recomputed"
    # 邮件报告
    REPORT_WRITTEN = "report.written"
    REPORTS_SENT_FOR = "reports.sent_for"
    # 演示
    CLOCK_MOVED = "clock.moved"


LONG_ACTS = frozenset(
    {
        AuditAction.UPLOAD_RECEIVED,
        AuditAction.UPLOAD_CHECKED,
        AuditAction.DOCUMENT_TEXT_CHECKED,
        AuditAction.DOCUMENT_SHEET_MADE,
        AuditAction.MAIL_PROCESSED,
        AuditAction.MAILBOX_POLLED,
    }
)
"""Acts of several commands, which leave one entry when they end (docs/adr/0011): pieces come in until the file is
whole, a worker takes a file until it is checked, or a signature until its sheet is made; the mailbox is looked at every minute until something of it changes."""
