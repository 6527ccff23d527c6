"""What can go wrong with a stored file. The sentences are for readers; the operator's are in ``saishi files check``."""

from __future__ import annotations

from enum import StrEnum

from app.errors import SaishiError
from app.text import T


class FileMissingError(SaishiError):
    """The store is there, this file is not in it."""

    status = 404
    code = "file_missing"

    def __init__(self) -> None:
        super().__init__(T("这个文件已不在了。"), next_step=T("请重新上传，或联系组委会。"))


class FileDamagedError(SaishiError):
    """What the store holds, or its row, is not what was written."""

    status = 500
    code = "file_damaged"

    def __init__(self) -> None:
        super().__init__(T("这个文件已损坏，不能打开。"), next_step=T("请重新上传，或联系组委会。"))


class Fault(StrEnum):
    """Why the store cannot be used, for the log and the start."""

    UNREACHABLE = "unreachable"
    BUCKET = "bucket"
    CREDENTIALS = "credentials"
    UNWRITABLE = "unwritable"
    FULL = "full"
    KEY_UNKNOWN = "key_unknown"


class StoreDownError(SaishiError):
    """The store cannot be used now; nothing is known about the file."""

    status = 503
    code = "store_down"

    def __init__(self, fault: Fault = Fault.UNREACHABLE) -> None:
        super().__init__(T("文件暂时不能保存或打开。"), next_step=T("请稍后再试。"))
        self.fault = fault


class KeyUnknownError(StoreDownError):
    """The file is whole, but the key it was written with is in no setting; with it the file can be read again."""

    def __init__(self) -> None:
        super().__init__(Fault.KEY_UNKNOWN)
