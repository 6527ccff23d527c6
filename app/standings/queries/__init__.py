from __future__ import annotations

from app.standings.queries.boards import DueRound as DueRound
from app.standings.queries.boards import StageBoard as StageBoard
from app.standings.queries.boards import stage_board as stage_board
from app.standings.queries.boards import waiting as waiting
from app.standings.queries.files import EventFile as EventFile
from app.standings.queries.files import earlier_rules as earlier_rules
from app.standings.queries.files import event_file as event_file
from app.standings.queries.files import event_file_download as event_file_download
from app.standings.queries.files import replayed as replayed
from app.standings.queries.names import naming as naming
from app.standings.queries.names import notes as notes
from app.standings.queries.names import people as people
from app.standings.queries.snapshots import SnapshotView as SnapshotView
from app.standings.queries.snapshots import at_version as at_version
from app.standings.queries.snapshots import latest as latest
from app.standings.queries.snapshots import latest_version as latest_version
from app.standings.queries.snapshots import state_tag as state_tag
