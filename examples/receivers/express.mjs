/** Express. The signature is over the bytes as sent, and `express.json()` does not keep them. */
import express from "express";
import { receiver } from "./receiver.ts";

const app = express();
// Before any body parser. The path that was signed is the whole one: the receiver takes it from `originalUrl`.
app.use("/notifications", receiver.nodeListener);
// Where a parser has to come first, it keeps the bytes in `rawBody`:
app.use(
  express.json({ limit: "8mb", verify: (request, _response, bytes) => Object.assign(request, { rawBody: bytes }) }),
);
app.use("/parsed/notifications", receiver.nodeListener);

export const server = app.listen(Number(process.env["PORT"] ?? 8080));
