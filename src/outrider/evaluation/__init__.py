"""Evaluation: measures of runs and recordings, series of runs, reports, scores, real data."""
