// The wire to the simulation: binary messages in (a length, a JSON head, arrays), small JSON out.
const SERVER_ENDS = 1012; // what a server that is shut down says; a lost connection says nothing

export class Link {
  constructor(handlers) {
    this.handlers = handlers;
    this.wait = 250;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/outrider/stream`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onopen = () => { this.wait = 250; document.body.classList.remove("or-lost", "or-ended"); };
    this.socket.onmessage = (event) => this.receive(event.data);
    this.socket.onclose = (event) => {
      if (this.closed) return;
      document.body.classList.add("or-lost");
      if (event.code === SERVER_ENDS) document.body.classList.add("or-ended");
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(4000, 2 * this.wait);
    };
  }

  receive(data) {
    const length = new DataView(data).getUint32(0, true);
    const head = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    const handler = this.handlers[head.k] ?? this.handlers.overlay;
    handler(head, { buffer: data, start: 4 + length });
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() { this.closed = true; this.socket.close(); }
}
