/** Charges for a turn of an unauthenticated connection (spec D2). */
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { test } from "node:test";
import { createClock } from "../../basics/clock.ts";
import { createMetrics } from "../../observability/metrics.ts";
import { createAddressList } from "./address-list.ts";
import { createConnections } from "./connections.ts";
import { createHttpServer } from "./http-server.ts";

test("pipelined requests are charged for the bytes behind them only when these may be read", async (t) => {
  const clock = createClock();
  const connections = createConnections({ clock, metrics: createMetrics() }, createAddressList([]));
  const charged: number[] = [];
  const server = createHttpServer({
    connections: {
      ...connections,
      open: (socket, handle) => {
        const connection = connections.open(socket, handle);
        connection.takeTurns({
          take(go, bytes) {
            charged.push(bytes);
            setImmediate(go);
          },
          wait: () => undefined,
          spend: () => undefined,
        });
        return connection;
      },
    },
    handler: (_request, response) => void response.end(),
    malformedBody: "{}",
    timestamp: () => "now",
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  // 20 requests of 51 bytes in each piece that is read.
  const call = "GET / HTTP/1.1\r\nHost: titian.example\r\nA: aaaaaa\r\n\r\n";
  const text = `${call.repeat(200)}${call.replace("A: aaaaaa", "Connection: close")}`;
  socket.resume().write(text);
  await once(socket, "close");
  const sum = charged.reduce((bytes, each) => bytes + each, 0);
  assert.ok(charged.length > 200 && sum >= text.length, `${sum} bytes in ${charged.length} turns`);
  // The rest of the text shrinks from piece to piece of 1 KiB each.
  assert.ok(sum <= (text.length / 1_024 + 2) * text.length, `${sum} bytes for ${text.length}`);
});
