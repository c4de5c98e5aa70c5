"""SLAM: key frames, loop closures, and one consistent trajectory."""
