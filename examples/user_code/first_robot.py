"""outrider run roomba.yaml --user-code first_robot.py: drive until something is near, then turn."""


def setup(robot):
    print("my sensors:", ", ".join(robot.sensors()))


def loop(robot):
    if robot.bumped() or robot.distance("ping") < 0.3:
        robot.drive(0, 90)  # m/s, degrees/s
        robot.sleep(1)
    else:
        robot.drive(0.2)
