"""python3 lane_follower.py: an AutoMiny keeps its lane, as a ROS 1 node of the real car.

It looks for bright marks on dark ground and steers to the middle between them, or keeps half a
lane from the one it sees.
"""

import numpy as np
import rospy
from autominy_msgs.msg import NormalizedSteeringCommand, SpeedCommand
from sensor_msgs.msg import Image

SPEED, GAIN, LANE = 0.4, 2.0, 0.6  # m/s; steering for half a picture; a lane's share of the width


def follow(image):
    grey = np.frombuffer(image.data, np.uint8).reshape(image.height, image.width, 3).mean(axis=2)
    band = grey[int(0.6 * image.height) : int(0.8 * image.height)]
    marks = np.flatnonzero((band > np.median(band) + 40).mean(axis=0) > 0.1)
    if not marks.size:
        return  # a gap: keep on
    middle = image.width / 2
    left, right = marks[marks < middle], marks[marks >= middle]
    if left.size and right.size and right.mean() - left.mean() > LANE * middle:
        lane = (left.mean() + right.mean()) / 2
    else:
        side = -1 if marks.mean() > 0.6 * middle else 1  # the mark is on the right, or on the left
        lane = marks.mean() + side * LANE * middle
    off = np.clip((lane - middle) / middle, -1, 1)
    steering.publish(NormalizedSteeringCommand(value=float(np.clip(-GAIN * off, -1, 1))))
    speed.publish(SpeedCommand(value=SPEED * (1 - 0.5 * abs(off))))


rospy.init_node("lane_follower")
steering = rospy.Publisher("actuators/steering_normalized", NormalizedSteeringCommand, queue_size=1)
speed = rospy.Publisher("actuators/speed", SpeedCommand, queue_size=1)
rospy.Subscriber("sensors/camera/color/image_raw", Image, follow, queue_size=1, buff_size=2**22)
rospy.spin()
