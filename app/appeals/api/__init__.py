"""Appeals for programs: of who appeals, of clerks, of the arbitration committee."""
