"""python 06_scan_points.py PORT: points of a scan in metres, x to the right and y ahead."""

import math
import sys

import serial
from lms200 import ask, scan_m

with serial.Serial(sys.argv[1], 9600, timeout=30) as line:
    ask(line, b"\x20\x25")  # scans on request
    found = scan_m(line)
    spread = 100 if len(found) in (101, 201, 401) else 180
    print("received", len(found), "readings:")
    for number, distance in enumerate(found):
        angle = math.radians(90 - spread / 2 + number * spread / (len(found) - 1))
        print(f"{distance * math.cos(angle):.3f}\t{distance * math.sin(angle):.3f}")
