"""Corrections (更正): a player or a referee asks, within the correction window (更正时限) after a sheet was published, that it be put
right; the chief referee sees what it would change before he decides.

States: open (待处理) -> granted (已更正) | refused (不予更正) | withdrawn (已撤回). After the window only an appeal or a ruling changes a sheet.
"""
