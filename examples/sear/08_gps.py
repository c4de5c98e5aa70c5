"""python 08_gps.py PORT: the position in every GGA sentence of a satellite receiver."""

import sys

import serial

with serial.Serial(sys.argv[1], 38400, timeout=30) as line:
    for sentence in line:
        word = sentence.decode("ascii", "replace").split(",")
        if word[0].endswith("GGA"):
            print("Lat:", *word[2:4], "Long:", *word[4:6], "Alt:", word[9], flush=True)
