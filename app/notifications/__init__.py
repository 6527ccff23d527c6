"""Notifications (消息): one outbox for every message that leaves the system.

A message is stored in the same transaction as the act it tells of, then sent by a worker; a crash between the two is
repaired by the sweep. Without a mail server the outbox page in the demonstration shows what would have been sent.

States: queued (待发) -> sending (发送中) -> sent (已发) | queued again | failed (失败) after ``MAX_TRIES``. A message
whose worker died while sending is taken up again under the same message id; it may then arrive twice.
"""
