"""Run a scenario of the library, changed on the way, and look at what came out."""

import outrider as o

scenario = o.scenario("drive-10s", "robots.0.motion.speed=0.4", "duration_s=5", "expect=[]")
result = o.run_scenario(scenario)
print(f"{result['scenario']}: {result['distance_m']:.2f} m in {result['sim_time_s']:.0f} s")
print(f"real-time factor {result['real_time_factor']:.0f}, state {result['state_hash']}")
print("again:", o.run_scenario(scenario)["state_hash"] == result["state_hash"])
