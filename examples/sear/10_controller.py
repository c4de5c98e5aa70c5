"""outrider run roomba_sensors.yaml --bridge serial --controller 10_controller.py: five sensors.

A program asks with two bytes, 0x8E and a number; each whole number goes back as two bytes.
"""

from outrider.user_code.scaling import adxl330, hmc6352, idg500


def answer(robot, number):
    if number == 43:
        return robot.distance("ping1") * 100  # cm
    if number == 44:
        return robot.distance("ping2") * 100
    if number == 45:
        return [adxl330(a) for a in robot.acceleration("imu")]
    if number == 46:
        return [idg500(w) for w in robot.gyro("imu")]
    if number == 47:
        return hmc6352(robot.heading("compass"))
    return None
