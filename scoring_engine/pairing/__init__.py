"""Draws and pairings (抽签编排), each replayable from its seed alone."""
