"""Acts on the floor, one function each; see ``app.floor`` for who may do what."""

from app.floor.service.hall import announce as announce
from app.floor.service.hall import assign_referees as assign_referees
from app.floor.service.hall import call_referee as call_referee
from app.floor.service.hall import close_call as close_call
from app.floor.service.hall import close_disputes as close_disputes
from app.floor.service.hall import record_arrival as record_arrival
from app.floor.service.hall import release_referee as release_referee
from app.floor.service.hall import spread_referees as spread_referees
from app.floor.service.hall import take_back_arrival as take_back_arrival
from app.floor.service.hall import take_call as take_call
from app.floor.service.hall import withdraw_call as withdraw_call
from app.floor.service.hall import withdraw_notice as withdraw_notice
from app.floor.service.keys import check_pin as check_pin
from app.floor.service.keys import make_player_keys as make_player_keys
from app.floor.service.keys import note_printed as note_printed
from app.floor.service.keys import renew_player_key as renew_player_key
from app.floor.service.rounds import call_time as call_time
from app.floor.service.rounds import end_round as end_round
from app.floor.service.rounds import lock_round as lock_round
from app.floor.service.rounds import note_ended as note_ended
from app.floor.service.rounds import note_opened as note_opened
from app.floor.service.rounds import note_published as note_published
from app.floor.service.rounds import open_round as open_round
from app.floor.service.rounds import schedule_round as schedule_round
from app.floor.service.rounds import set_terms as set_terms
from app.floor.service.rounds import start_clock as start_clock
