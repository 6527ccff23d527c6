"""升级: cards and their order, units and throws, follow duty, ruffs and who wins a trick (拖拉机, 八十分).

Regulation C (three decks) and regulation D (two decks) play by the same functions under two `TrickFormat`s.
"""
