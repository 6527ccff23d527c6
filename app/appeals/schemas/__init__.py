"""What forms and programs send and read of appeals."""
