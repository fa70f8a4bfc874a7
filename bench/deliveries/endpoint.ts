/** The system of all partners, a process of its own: it accepts every notification, and issues tokens. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const token = { accessToken: "token-of-a-partner", tokenType: "Bearer", expiresIn: "900" };
const success = { responseCode: "2007600", responseMessage: "Successful" };
const [tokenReply, successReply] = [token, success].map((fields) => JSON.stringify(fields));

const server = createServer((request, response) => {
  request.resume().once("end", () => {
    const reply = request.url?.endsWith("/access-token/b2b") ? tokenReply : successReply;
    response.setHeader("Content-Type", "application/json");
    response.end(reply);
  });
});
server.keepAliveTimeout = 600_000;
server.listen(0, "127.0.0.1");
await once(server, "listening");
// A server that listens on TCP has such an address.
process.send?.((server.address() as AddressInfo).port);
process.on("disconnect", () => process.exit());
