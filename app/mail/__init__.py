"""Mail from outside (来信): reading any message, and fetching messages from an IMAP server. Knows no feature and no database.

``parsing.parse`` takes whatever a stranger sends and gives what was understood of it; it never raises, and its time and memory
follow the size of the message, whatever is written in it. ``fetching`` looks into the mailbox.
"""
