"""Many runs of one scenario: sweeps over its parameters, and searches for failures."""
