"""Background work (后台任务)."""
