/**
 * The floor under every HTTP service of this runtime: `node:http` reads the body, looks at nothing, and answers as many
 * bytes as the service does.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { formatTimestamp, operations } from "@titian/contract";
import { newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { intrabankBody } from "../load/request-bodies.ts";
import { createIds } from "../transfers/unique-ids.ts";
import { createLayerPartner } from "./layer-partner.ts";

const referenceNo = toReferenceNo(newId());
const sides = { from: "7700000000", to: "7700000001" };
const transferReply = JSON.stringify({
  responseCode: "2001700",
  responseMessage: "Successful",
  referenceNo,
  ...intrabankBody(createIds()(), sides),
});
/** About as long as a token of the service. */
const tokenReply = JSON.stringify({ accessToken: "t".repeat(200), tokenType: "Bearer", expiresIn: "900" });
const headers = ["X-TIMESTAMP", formatTimestamp(Date.now()), "X-CORRELATION-ID", newId()];

const server = createServer((request, response) => {
  request.resume().once("end", () => {
    const reply = request.url?.endsWith(operations.accessTokenB2b.path) ? tokenReply : transferReply;
    const length = String(Buffer.byteLength(reply));
    response.writeHead(200, ["Content-Type", "application/json", "Content-Length", length, ...headers]);
    response.end(reply);
  });
});
server.keepAliveTimeout = 600_000;
server.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 });
await once(server, "listening");
// A server that listens on TCP has such an address.
const { port } = server.address() as AddressInfo;
process.send?.(createLayerPartner().callerAt(port));
process.on("disconnect", () => process.exit());
