"""What is read of objections, by whom."""
