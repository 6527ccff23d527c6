"""Made-up people with valid check digits: the demonstration's own, so that there is one place that makes them."""

from __future__ import annotations

from app.demonstration.people import UNIT_NAMES, credit_code, id_number, person_name, phone, sizes_of_units

__all__ = ["UNIT_NAMES", "credit_code", "id_number", "person_name", "phone", "sizes_of_units"]
