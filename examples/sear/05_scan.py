"""python 05_scan.py PORT: an LMS 200 on a serial port; a scan of 100 degrees every two seconds."""

import sys
import time

import serial
from lms200 import ask, scan_m

with serial.Serial(sys.argv[1], 9600, timeout=30) as line:
    ask(line, b"\x20\x00SICK_LMS")  # installation mode, with the maker's password
    ask(line, bytes([0x3B, 100, 0, 100, 0]))  # 100 degrees, a reading every degree
    ask(line, b"\x20\x25")  # scans on request
    while True:
        print(*scan_m(line), flush=True)
        time.sleep(2)
