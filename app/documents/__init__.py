"""Documents (材料): proofs that the regulation asks of members and units, reviewed page by page, gone when their time is over.

States of a document: uploaded -> accepted | needs_changes | rejected; a new revision brings it back to uploaded. Missing and
expired are seen from the rules and the dates, never stored.

Who may do what: the leader hands in and sees the documents of his unit; the committee (组委会) claims one, looks at it
beside the typed data and decides; every look and decision is recorded, and the leader reads who looked. Everything is
deleted a set number of days after the event, with a signed report.
"""
