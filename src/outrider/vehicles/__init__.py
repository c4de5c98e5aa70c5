"""Drivetrains, motors and controllers: from a command to torque on joints."""
