/**
 * A shop in a process of its own, which kills itself at one moment of a checkout: before its first call to its store or to
 * the provider, or behind one of them; between two of them it does nothing that anybody sees. The response to its first transfer is lost. Arguments: data directory, database, order, moment.
 */
import { type AttemptStore, createClient, type Fetch } from "@titian/client";
import { Pool } from "pg";
import { checkOut } from "../../examples/attempts/check-out.ts";
import { createPostgresAttempts } from "../../examples/attempts/postgres-store.ts";
import { readSandboxFile } from "./black-box/sandbox-file.ts";

const [dataDir = "", connectionString = "", order = "", killedAt = ""] = process.argv.slice(2);

let moment = 0;
function pass(): void {
  moment += 1;
  if (moment === Number(killedAt)) process.kill(process.pid, "SIGKILL");
}

async function passing<Result>(work: () => Promise<Result>): Promise<Result> {
  if (moment === 0) pass();
  const result = await work();
  pass();
  return result;
}

let isLost = false;
const fetch: Fetch = async (url, request) => {
  const response = await passing(() => globalThis.fetch(url, request));
  if (isLost || url.endsWith("b2b")) return response;
  isLost = true;
  throw new Error("the connection broke");
};

const pool = new Pool({ connectionString, max: 1 });
const { get, put, listOpen } = createPostgresAttempts(pool);
const store: AttemptStore = { listOpen, get: (key) => passing(() => get(key)), put: (one) => passing(() => put(one)) };
const { baseUrl, partners } = readSandboxFile(dataDir);
const partner = partners.find(({ partnerId }) => partnerId === "alpha");
if (partner === undefined) throw new Error("the sandbox has no alpha");
const { channelId, clientKey, clientSecret, privateKey } = partner;
const credentials = { mode: "symmetric", clientSecret, privateKey } as const;
const client = createClient({ baseUrl, partnerId: "alpha", channelId, clientKey, credentials, fetch });
const { state } = await checkOut(client, store, JSON.parse(order));
console.log(state);
await pool.end();
