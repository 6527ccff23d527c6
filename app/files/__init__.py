"""Files (文件): cleaning what arrives, and keeping it encrypted, under random names, in a folder or an S3-compatible store.

Nothing here knows a feature, the database or the web. ``cleaning`` and ``store`` are what the features call.
"""
