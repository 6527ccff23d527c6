"""Notifications (消息): one outbox for every message that leaves the system.

A message is rendered and stored in the same transaction as the act it tells of, then sent by a worker; a crash between the
two is repaired by the sweep. Without a mail server the outbox page in the demonstration shows what would have been sent.

States: queued (待发) -> sending (发送中) -> sent (已发出) | queued again, after ``rules.BACK_OFF`` | failed (发送失败): refused for
good, or tried too often. A message whose worker died while sending, or whose server went silent after taking it, has an
uncertain fate: it is sent again under the same Message-ID, and says that it may have come before. What comes back as
undeliverable (退信) is noted on the message.

``letters`` is the table of the kinds of letter and renders them; ``links`` knows the site's address outside of requests;
``mail`` makes a MIME message of a letter, ``transports`` hands it on.
"""
