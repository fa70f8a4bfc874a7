/** An address of a database that outlives its servers: a node's wire, which leads elsewhere, breaks, or goes silent. */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

export interface Address extends AsyncDisposable {
  /** The given URL, over this wire. */
  urlOf(url: string): string;
  /** Where new connections lead; those that there are stay. */
  leadTo(port: number): void;
  /** Ends all connections. */
  cut(): void;
  /** Nothing passes any more over the connections that there are, in either direction, and nobody is told. */
  silence(): void;
}

export async function startAddress(port: number): Promise<Address> {
  let target = port;
  let wires: { readonly ends: readonly Socket[]; isSilent: boolean }[] = [];
  const server = createServer((client) => {
    const upstream = connect(target, "127.0.0.1");
    const wire = { ends: [client, upstream], isSilent: false };
    wires.push(wire);
    const end = () => {
      if (!wire.isSilent) for (const socket of wire.ends) socket.destroy();
    };
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.setNoDelay(true);
      // Broken wires are what this is for.
      from.on("error", () => {});
      from.on("close", end);
      from.on("data", (chunk) => void (wire.isSilent || to.write(chunk)));
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the address has no port");
  const cut = () => {
    for (const { ends } of wires) for (const socket of ends) socket.destroy();
    wires = [];
  };
  return {
    urlOf: (url) => {
      const own = new URL(url);
      own.port = String(address.port);
      return own.href;
    },
    leadTo: (next) => {
      target = next;
    },
    cut,
    silence: () => {
      for (const wire of wires) wire.isSilent = true;
    },
    [Symbol.asyncDispose]: async () => {
      server.close();
      cut();
      await once(server, "close");
    },
  };
}
