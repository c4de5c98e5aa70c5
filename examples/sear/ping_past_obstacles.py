"""python ping_past_obstacles.py CREATE CONTROLLER: range against the odometer, over serial lines.

With ``outrider run roomba_sensors.yaml --bridge serial --controller 10_controller.py``. It drives
past the boxes and writes one line per measurement: millimetres driven, centimetres to the left.
"""

import struct
import sys

import serial

with (
    serial.Serial(sys.argv[1], 115200, timeout=30) as robot,
    serial.Serial(sys.argv[2], 9600, timeout=30) as controller,
):
    robot.write(bytes([128, 131, 137, 0, 200, 128, 0]))  # start, safe, 200 mm/s straight on
    driven = 0
    while driven < 3900:
        robot.write(bytes([142, 19]))
        driven += struct.unpack(">h", robot.read(2))[0]
        controller.write(bytes([0x8E, 43]))
        print(driven, *struct.unpack(">H", controller.read(2)), flush=True)
    robot.write(bytes([137, 0, 0, 0, 0]))
