"""A worker that dies in its second case."""

import json
import os
import sys

for number in range(int(sys.argv[1]), int(sys.argv[2])):
    begun = {"begun": number, "kind": "x", "bytes": f"case {number}"}
    sys.stdout.write(json.dumps(begun) + "\n")
    sys.stdout.flush()
    if number == 1:
        os._exit(3)
    sys.stdout.write(json.dumps({"number": number, "kind": "x"}) + "\n")
    sys.stdout.flush()
