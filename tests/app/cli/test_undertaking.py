"""``saishi undertaking``: a fingerprint or a file against what was signed in this installation."""

from __future__ import annotations

import json
from pathlib import Path

from tests import services
from tests.conftest import SECRET


def test_an_unknown_fingerprint_or_file_is_told_from_something_that_is_neither(tmp_path: Path) -> None:
    environment = services.environment(tmp_path / "site", SAISHI_SECRET_KEY=SECRET)
    services.migrate(environment)
    sheet = tmp_path / "sheet.pdf"
    sheet.write_bytes(b"%PDF-1.7 not ours")
    for given in ("0" * 64, str(sheet)):
        done = services.saishi("undertaking", given, environment=environment)
        assert (done.returncode, json.loads(done.stdout)) == (1, {"known": False})
    done = services.saishi("undertaking", str(tmp_path / "missing.pdf"), environment=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert "不是 64 位指纹，也不是能读取的文件" in done.stderr
