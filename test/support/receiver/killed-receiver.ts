/** A receiver in a process of its own: it books a notification and dies before its store is told. Arguments: database, key file. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createReceiver } from "@titian/client";
import { Pool } from "pg";
import { createPostgresStore } from "../../../examples/receivers/postgres-store.ts";
import { book } from "./book.ts";

const [connectionString = "", keyFile = ""] = process.argv.slice(2);
const pool = new Pool({ connectionString });
const receiver = createReceiver({
  partnerId: "PARTNER-1",
  keys: { mode: "asymmetric", providerPublicKeys: [readFileSync(keyFile, "utf8")] },
  store: createPostgresStore(pool),
  on: {
    async rtgs(_notification, key) {
      await book(pool, key);
      process.kill(process.pid, "SIGKILL");
    },
  },
});
const server = createServer(receiver.nodeListener).listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : "");
});
