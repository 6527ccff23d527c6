"""The chief referee's desk (裁判长台): every table's state live, who is missing, the clock, calls, disputes, and the one thing the next
round waits for. Reads what the floor, sheets, rulings, corrections and appeals say, and stores nothing.
"""
