"""Accounts (账号): a person signs in with a mobile number and a one-time code (验证码).

A code has six digits, lives five minutes and allows five tries; asking is limited per number and per address.
Only a keyed hash and an encrypted copy of the number are kept. Roles are granted per competition, or (competition
None) for the whole installation.
"""
