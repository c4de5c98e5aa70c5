// A program in node that uses roslib as others would; what it finds goes to its output as JSON lines.
import { pathToFileURL } from "node:url";

const [library, url, task] = process.argv.slice(2);
const ROSLIB = await import(pathToFileURL(library));
const ros = new ROSLIB.Ros();
const say = (key, value) => console.log(JSON.stringify({ [key]: value }));
const fail = (key) => (error) => say(key, { error: String(error) });
const asked = (call) => new Promise((done, failed) => call(done, failed));

ros.on("error", () => {});
await new Promise((done) => {
  ros.on("connection", done);
  ros.connect(url);
});

const shown = (data) =>
  typeof data === "string" ? data : ArrayBuffer.isView(data) ? Array.from(data) : data;

// What was on its way in the last compression is not what is waited for.
const comesAs = {
  none: (message) => typeof message.data === "string",
  png: (message) => typeof message.data === "string",
  cbor: (message) => ArrayBuffer.isView(message.data),
  "cbor-raw": (message) => message.bytes !== undefined,
};

const tasks = {
  async subscribe() {
    for (const compression of ["none", "png", "cbor", "cbor-raw"]) {
      const topic = new ROSLIB.Topic({
        ros, name: "/image", messageType: "sensor_msgs/msg/Image", compression,
      });
      const message = await new Promise((done) =>
        topic.subscribe((one) => comesAs[compression](one) && done(one)));
      topic.unsubscribe();
      await asked((done, failed) => ros.getTopics(done, failed)); // the server has heard of it
      say(compression, compression === "cbor-raw"
        ? { size: message.bytes.length }
        : { data: shown(message.data), width: message.width });
    }
    const scan = new ROSLIB.Topic({
      ros, name: "/scan", messageType: "sensor_msgs/LaserScan", compression: "cbor",
    });
    const message = await new Promise((done) => scan.subscribe(done));
    say("ranges", { kind: message.ranges.constructor.name, data: shown(message.ranges),
                    secs: message.header.stamp.secs });
  },
  async publish() {
    const topic = new ROSLIB.Topic({ ros, name: "/cmd_vel", messageType: "geometry_msgs/Twist" });
    topic.publish({ linear: { x: 0.25, y: 0, z: 0 }, angular: { x: 0, y: 0, z: -0.5 } });
    await asked((done, failed) => ros.getTopics(done, failed));
    topic.unadvertise();
  },
  async services() {
    const pause = new ROSLIB.Service({ ros, name: "/outrider/pause", serviceType: "std_srvs/Trigger" });
    say("pause", await asked((done, failed) => pause.callService({}, done, failed)));
    const nope = new ROSLIB.Service({ ros, name: "/nope", serviceType: "std_srvs/Trigger" });
    await asked((done) => nope.callService({}, done, done)).then((text) => say("nope", text));
    say("topics", await asked((done, failed) => ros.getTopics(done, failed)));
    say("services", await asked((done, failed) => ros.getServices(done, failed)));
    say("nodes", await asked((done, failed) => ros.getNodes(done, failed)));
    say("params", await asked((done, failed) => ros.getParams(done, failed)));
    say("type", await asked((done, failed) => ros.getTopicType("/cmd_vel", done, failed)));
    say("details", ros.decodeTypeDefs(
      await asked((done, failed) => ros.getMessageDetails("geometry_msgs/Twist", done, failed))));
    const speed = new ROSLIB.Param({ ros, name: "/web/speed" });
    await asked((done, failed) => speed.set(1.5, done, failed));
    say("speed", await asked((done, failed) => speed.get(done, failed)));
  },
  async offer() {
    const service = new ROSLIB.Service({ ros, name: "/double", serviceType: "example/Double" });
    service.advertise((request, response) => {
      response.result = 2 * request.value;
      return true;
    });
    await asked((done, failed) => ros.getServices(done, failed));
    say("offered", true);
    await new Promise((done) => setTimeout(done, 200000));
  },
  async action() {
    const steps = new ROSLIB.Action({
      ros, name: "/simulate_steps", actionType: "simulation_interfaces/action/SimulateSteps",
    });
    const heard = [];
    const result = await asked((done, failed) =>
      steps.sendGoal({ steps: 30 }, done, (feedback) => heard.push(feedback), failed));
    say("action", { result, heard });
  },
  async reconnect() {
    const topic = new ROSLIB.Topic({ ros, name: "/odom", messageType: "nav_msgs/msg/Odometry" });
    topic.subscribe((message) => say("odom", message.pose.pose.position.x));
    ros.on("close", () => setTimeout(() => ros.connect(url), 100));
    await new Promise((done) => setTimeout(done, 200000));
  },
};

try {
  await tasks[task]();
} catch (error) {
  fail("failed")(error);
}
process.exit(0);
