"""Regulations (规程): one competition's rules as data, read, checked, frozen and explained.

A regulation is a TOML file of the library, or the same keys as JSON. It is validated as a whole, every problem at
once; an organiser starts from a shipped one and changes dates and options only. Creating a competition freezes it
as a numbered version (JSON and SHA-256); registrations, results and standings refer to that version, and the public
rules page is generated from it.

States: shipped -> frozen. A frozen version never changes; a later ruling freezes the next number.
Who may do what: everybody reads; freezing happens inside the command that creates or changes a competition.

`rules`, `schemas` and `library` import neither Flask nor the database: the command line uses them alone.
"""
