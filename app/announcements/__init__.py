"""Announcements (公告): what the organiser tells everybody, from its publication time on.

States: scheduled (待发布) -> published (已发布) -> withdrawn (已撤回); pinned ones stand first. A change of a published one raises its
revision and says when. Everybody reads them on the mini-site and by RSS or Atom.

Nothing is done at the publication time: every reading compares it with the clock. What was public and is withdrawn says so at its
address, with the reason. No ID number can be published, a mobile number only where the writer confirms it.
"""
