"""outrider run roomba-room --robot create --user-code 03_drive.py: a second on, then back."""


def setup(robot):
    robot.drive(0.2)
    robot.sleep(1)
    robot.drive(-0.2)
    robot.sleep(1)
