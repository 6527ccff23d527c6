"""Appeals (申诉): somebody who takes part does not accept a result or a ruling. Said aloud within five minutes of the round's end and
logged by the clerk, handed in in writing within ten with evidence and the fee, heard and decided by the arbitration committee (仲裁委员会).

States: oral (已口头提出) -> received (已收书面) -> heard (已听证) -> upheld (成立) | dismissed (驳回); lapsed (逾期), refused (不予受理), withdrawn (已撤回).
Upheld: the fee goes back and what was decided is carried out; dismissed: it is kept. Every amount is an entry of a ledger (申诉费台账) that
is never changed, only reversed. A regulation without appeals has none here.
"""
