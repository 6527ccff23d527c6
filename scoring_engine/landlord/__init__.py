"""二打一: bidding, the score of a deal, the totals of a table. Combinations (牌型) are not judged here."""
