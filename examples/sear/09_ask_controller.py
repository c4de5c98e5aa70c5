"""python 09_ask_controller.py PORT: asks the controller of 10_controller.py for all it has."""

import struct
import sys

import serial

SENSORS = {43: "sonar 1, cm", 44: "sonar 2, cm", 45: "acceleration", 46: "gyro", 47: "heading"}

with serial.Serial(sys.argv[1], 9600, timeout=30) as line:
    for number, name in SENSORS.items():
        count = 3 if number in (45, 46) else 1
        line.write(bytes([0x8E, number]))
        print(name, *struct.unpack(f">{count}H", line.read(2 * count)))
