"""Uploads (上传): a file on its way from a phone to a page that others may look at.

States: receiving (pieces come in) -> waiting (whole, for the worker) -> checking (in a worker's hands) -> ready (cleaned;
nothing of the sender's own bytes is kept) | refused (with a sentence) | quarantined (the scanner found something: its name and the
file's hash are kept, the file is deleted). ``discarded`` by its sender. A ready upload is claimed by the form it belongs to;
one that nobody claims is deleted a day later.

Who may do what: the person who began an upload sends its pieces and sees it; once claimed, the feature that claimed it
says who may look. The worker cleans; the periodic sweep finds what was left half-done.
"""
