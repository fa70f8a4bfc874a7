/** `node:http` alone: `nodeListener` reads the bytes as sent. */
import { createServer } from "node:http";
import { receiver } from "./receiver.ts";

export const server = createServer(receiver.nodeListener);
server.listen(Number(process.env["PORT"] ?? 8080));
