"""Objections for programs: of the two sides and the public, and of the committee."""
