"""Working days (工作日): official calendars, years the committee entered, windows counted in working days.

A publication window (公示期) is counted in working days, so its end depends on the State Council's yearly notice
(国务院办公厅放假安排). A year is *official* (shipped with `chinesecalendar`), *entered* (typed by an organiser or a
committee from the notice) or unknown; an unknown year is an error that names it, never a guess.

Who may do what: everybody reads the years; organisers (主办方) and committees (组委会) enter an unknown one and may
correct what was entered. Official years are not editable.
"""
