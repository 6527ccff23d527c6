"""Files (文件) as they are kept: encrypted, under random names, in a folder or an S3-compatible store.

Nothing here knows a feature, the database or the web. ``store`` is what the features call.
"""
