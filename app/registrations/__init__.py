"""Registrations (报名): a team leader (领队) enters a unit (单位) and its members (队员); the committee reviews them.

States of a registration: draft -> submitted. States of an entry (one member in one event): draft -> submitted ->
approved | rejected; a change before the deadline brings a reviewed entry back to submitted, a removal after the
submission leaves it as withdrawn (已退赛).

After the deadline a change is applied for (变更申请), where the text allows one: waiting -> granted | refused | taken_back |
overtaken. Who is to come stands in a draft entry meanwhile, with documents of his own; a granted application makes, changes
or withdraws the entry in the same transaction. A withdrawal is free (option ``late_withdrawal``).

Who may do what: the signed-in leader who made the unit sees and changes it, inside the regulation's registration
window and after agreeing to the privacy notice; the committee (组委会) sees all submitted entries and decides them;
ID numbers are shown to the committee only on demand, and each look is recorded. The system erases personal data a
set number of days after the last day of play.
"""
