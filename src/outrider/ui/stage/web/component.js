// The element of the page that holds the scene; Python calls its methods by name.
import { Stage } from "outrider-stage";

const PASSED_ON = ["select", "setRobot", "setCamera", "setView", "setFirstPerson", "setPlacing", "lookAt", "focus", "hold", "setLimit", "keepCamera", "bringBackCamera", "snapshot", "state"];

export default {
  template: `<div class="or-stage"><canvas></canvas><div class="or-stage-note"></div></div>`,
  mounted() {
    try {
      this.stage = new Stage(this.$el.querySelector("canvas"), (name, value) => this.$emit(name, value));
      window.outriderStage = this.stage;
      this.$emit("ready", { window: [window.innerWidth, window.innerHeight] });
    } catch (error) {
      this.$el.querySelector(".or-stage-note").textContent = `This browser cannot draw in 3D (WebGL): ${error.message}`;
    }
  },
  unmounted() { this.stage?.close(); },
  methods: {
    ...Object.fromEntries(PASSED_ON.map((name) => [name, function (...rest) { return this.stage?.[name](...rest); }])),
    setHandles(on) { if (this.stage) { this.stage.gizmo.enabled = on; this.stage.gizmo.attach(this.stage.selected ?? ""); } },
  },
};
