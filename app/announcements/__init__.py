"""Announcements (公告): what the organiser tells everybody, from its publication time on.

States: scheduled (待发布) -> published (已发布) -> withdrawn (已撤回); pinned ones stand first. A change of a published one raises its
revision and says when. Everybody reads them on the mini-site and by RSS or Atom.
"""
