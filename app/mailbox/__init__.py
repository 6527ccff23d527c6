"""The mailbox (收件箱): messages that people send to the competition office, each taken up exactly once.

A worker polls the IMAP mailbox, stores each message whole and encrypted, and only then marks it on the server; a message that is
found again is known by its ``key``. What it is follows from the message itself: a bounce, an automatic answer, a loop, or a letter
somebody has to read. A letter that names a case, a unit or a competition goes there; any other waits in the triage list (待分拣).

States: new (待处理) -> processed (已处理) | triage (待分拣) -> processed | set_aside (已搁置, with the reason).
"""
