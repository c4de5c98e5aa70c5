"""Record a drive, look into the recording, and play it again."""

import tempfile
from pathlib import Path

import outrider as o

file = Path(tempfile.mkdtemp()) / "drive.mcap"
sim = o.Simulation(o.load("empty"), robots=[o.robot("jackal")])
with o.record(sim, file, ["/ground_truth/*", "/imu/data@10", "/tf*"]) as recorder:
    for _ in range(10):
        sim.robots["jackal"].drive(0.5, 0.3)
        sim.run(0.2)
print(f"{recorder.report.messages} messages, {len(recorder.report.dropped)} topics with losses")

with o.replay(file) as recording:
    for entry in recording.entries():
        if entry.track.topic == "/ground_truth/state":
            place = entry.message.pose.pose.position
    print(f"at {entry.log_ns * 1e-9:.2f} s the Jackal was at ({place.x:.2f}, {place.y:.2f})")

with o.replay(file, ["/imu/data"], start_s=1.0) as again:  # flat out; speed=1.0 takes its time
    heard = again.bus.subscribe("/imu/data", kept="all")
    again.run()
    print(f"replayed {again.published}; the first was measured at {heard.poll()[0] * 1e-9:.1f} s")
