/** Calls to an edge as bytes on a socket, for what no client would send. */
import { connect } from "node:net";
import { type Received, type Recipe, received, signCall, type TestEdge, transfer } from "./start-edge.ts";

/** Writes bytes to the edge's port and returns all that comes back until it closes the connection. */
export function sendRaw(port: number, bytes: string | Buffer, options: { end?: boolean } = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => {
      if (options.end === true) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? resolve(text) : reject(error)));
    socket.on("close", () => resolve(text));
  });
}

/** The bytes of a signed call, with header lines and a body of the test's choice. */
export async function rawCall(
  edge: TestEdge,
  options: { lines?: string[]; signing?: Recipe["signing"]; body?: string; head?: string; length?: boolean } = {},
) {
  const body = options.body ?? JSON.stringify(transfer);
  const { headers, target } = await signCall(edge, { body, ...(options.signing && { signing: options.signing }) });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (options.length !== false) lines.push(`Content-Length: ${Buffer.byteLength(body)}`);
  const head = options.head ?? `POST ${target} HTTP/1.1\r\nHost: titian`;
  return `${[head, ...lines, ...(options.lines ?? [])].join("\r\n")}\r\n\r\n${body}`;
}

/** The responses in what came back on a connection. */
export function answersIn(text: string): Received[] {
  return text
    .split(/(?=HTTP\/1\.1 )/)
    .filter((part) => part !== "" && !part.startsWith("HTTP/1.1 100"))
    .map((part) => {
      const [head = "", body = ""] = part.split("\r\n\r\n");
      return received(Number(head.slice(9, 12)), { head }, body);
    });
}
