"""Who acts (操作人): a person with roles, the system itself, or nobody in particular."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from app.errors import ForbiddenError, SignInRequiredError
from app.text import T


class Role(StrEnum):
    """What a person may do in one competition, or (granted without one) in all."""

    ORGANISER = "organiser"
    COMMITTEE = "committee"
    CHIEF_REFEREE = "chief_referee"
    REFEREE = "referee"
    ARBITRATION = "arbitration"


ROLE_NAMES: dict[Role, T] = {
    Role.ORGANISER: T("主办方"),
    Role.COMMITTEE: T("组委会"),
    Role.CHIEF_REFEREE: T("裁判长"),
    Role.REFEREE: T("裁判员"),
    Role.ARBITRATION: T("仲裁委员会"),
}


@dataclass(frozen=True, slots=True)
class Actor:
    """The person behind a command. ``grants`` are (competition id or None for every competition, role)."""

    kind: str
    user_id: int | None = None
    grants: frozenset[tuple[int | None, Role]] = frozenset()

    @property
    def signed_in(self) -> bool:
        return self.user_id is not None

    def has(self, competition_id: int | None, *roles: Role) -> bool:
        """Whether any of ``roles`` is held in this competition. The system may do everything."""
        if self.kind == "system":
            return True
        return any((scope, role) in self.grants for role in roles for scope in (competition_id, None))

    def competitions_with(self, *roles: Role) -> frozenset[int | None]:
        """Ids of the competitions where one of ``roles`` is held; None among them means everywhere."""
        return frozenset(scope for scope, role in self.grants if role in roles)

    def require_signed_in(self) -> int:
        if self.user_id is None:
            raise SignInRequiredError
        return self.user_id

    def require(self, competition_id: int | None, *roles: Role) -> None:
        """Refuse, naming the role that is needed, unless one of ``roles`` is held."""
        if self.has(competition_id, *roles):
            return
        if not self.signed_in:
            raise SignInRequiredError(T("这一页需要%(role)s身份，请先登录。", role=role_list(roles)))
        raise ForbiddenError(
            T("这一步需要%(role)s身份，您目前没有。", role=role_list(roles)),
            next_step=T("请主办方在工作台把您的手机号加入该身份。"),
        )


def role_list(roles: tuple[Role, ...]) -> T:
    """The names of one or more roles as one phrase."""
    phrase = ROLE_NAMES[roles[0]]
    for role in roles[1:]:
        phrase = T("%(left)s或%(right)s", left=phrase, right=ROLE_NAMES[role])
    return phrase


SYSTEM = Actor("system")
ANONYMOUS = Actor("anonymous")
