"""Audit (操作记录): an append-only chain of who did what, when, to what.

Each entry carries the SHA-256 of the one before it, so a removed or altered entry breaks the chain. ``details``
never hold personal data: ids, counts and names of fields only.
"""
