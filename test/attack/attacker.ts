/** The attacker's process: one pattern against one service from one address, for a time. Run by `run-attack.ts`. */
import { connect } from "node:net";
import { attackOn, patterns, type Target } from "./patterns.ts";

interface Order {
  readonly name: string;
  readonly target: Target;
  readonly address: string;
  readonly forMs: number;
}

/** All that one attack opens, however often it is cut off. */
const connectionsMax = 30_000;
const reconnectMs = 20;

const order = JSON.parse(process.argv[2] ?? "") as Order;
const pattern = patterns.find(({ name }) => name === order.name);
if (pattern === undefined) throw new Error(`There is no pattern ${order.name}`);
let opened = 0;

function open(connection: number): void {
  if (pattern === undefined || opened >= connectionsMax) return;
  opened += 1;
  const socket = connect({ port: order.target.port, host: "127.0.0.1", localAddress: order.address });
  socket.on("connect", () => attackOn(socket, pattern, order.target, connection));
  socket.on("error", () => undefined);
  socket.on("close", () => setTimeout(open, reconnectMs, connection));
}

for (let i = 0; i < pattern.connections; i += 1) open(i);
setTimeout(() => process.exit(0), order.forMs);
