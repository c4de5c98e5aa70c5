"""Odometry from wheels, IMU, LiDAR and cameras, each with its covariance."""
