"""Saishi 赛事小站: registration and results mini-sites for card and board game competitions."""
