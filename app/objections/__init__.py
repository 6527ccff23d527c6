"""Objections (异议/举报): a unit that takes part says, in writing and within the window, that somebody on a list may not play.

States: received (已收到) -> accepted (已受理) -> upheld (成立) | dismissed (不成立); received -> refused (不予受理, with the clause and
what is missing); withdrawn (已撤回) by whoever lodged it. An objection that lacks a letter or evidence may be completed while the window
runs. Who lodged it is seen by the members of the committee who handle it, and by nobody else.
"""
