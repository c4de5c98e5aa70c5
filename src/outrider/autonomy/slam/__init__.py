"""SLAM: keyframes, loop closures, and one consistent trajectory."""
