/**
 * The usual service: what one would build for operation 17 without batches. Fastify with its own JSON schema, a pool of `pg`,
 * and one statement a call, which is its transaction: a function of `bench/sql-ledger`. Token, signature, time, schema and
 * a unique external id are checked; there are no holds, no rails, no notifications, and a repeat is rejected. Guarded, its
 * function has what the service guards too.
 * Arguments: the database's URL, the size of the pool, and `usual` or `guarded`.
 */
import { createPublicKey, createSecretKey, randomBytes } from "node:crypto";
import {
  bearerToken,
  hashBody,
  operations,
  parseTimestamp,
  stringToSign,
  verifyHmac,
  verifyRsa,
} from "@titian/contract";
import fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { Pool } from "pg";
import { createLayerPartner } from "../layers/layer-partner.ts";
import { type Transfer, transferSchema } from "./schema.ts";
import { transferStatements } from "./transfer-statements.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** As it was sent: the signature is over these bytes. */
    rawBody: Buffer;
    bodyHash: string;
  }
}

const [connectionString = "", connections = "", ledger = ""] = process.argv.slice(2);
const statement = transferStatements[ledger === "guarded" ? "guarded" : "usual"];
const tokenLastsMs = 900_000;
const clocksDifferMs = 300_000;
/** Status and case by SQLSTATE, which PostgreSQL says or a recorded rejection has. */
const rejections: Readonly<Record<string, readonly [number, string, string]>> = {
  "23505": [409, "00", "Conflict"],
  "23514": [403, "14", "Insufficient Funds"],
  "23502": [404, "11", "Invalid Card/Account/Customer"],
  "22023": [400, "01", "Invalid Field Format"],
};

interface TransferRow {
  readonly id: string | null;
  readonly rejection?: string | null;
}

const partner = createLayerPartner();
const { partnerId, clientKey, secrets, publicKeys } = partner.credentials;
const secret = createSecretKey(secrets[0] ?? "", "utf8");
const publicKey = createPublicKey(publicKeys[0] ?? "");
/** When each ends. */
const tokens = new Map<string, number>();
const pool = new Pool({ connectionString, max: Number(connections), application_name: "bench usual" });
const app = fastify({ logger: false, ajv: { customOptions: { coerceTypes: false, removeAdditional: false } } });

app.decorateRequest("rawBody");
app.decorateRequest("bodyHash");
app.removeContentTypeParser("application/json");
app.addContentTypeParser<Buffer>("application/json", { parseAs: "buffer" }, (request, body, done) => {
  request.rawBody = body;
  try {
    done(null, JSON.parse(body.toString("utf8")));
  } catch {
    done(Object.assign(new Error("The body is no JSON."), { statusCode: 400 }));
  }
});

/** `name` in lower case, as Node has it. */
function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

function reject(reply: FastifyReply, status: number, code: string, responseMessage: string): void {
  void reply.code(status).send({ responseCode: `${status}17${code}`, responseMessage });
}

function isRecent(timestamp: string): boolean {
  return Math.abs((parseTimestamp(timestamp) ?? 0) - Date.now()) <= clocksDifferMs;
}

function authenticate(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  const accessToken = bearerToken(request.headers.authorization) ?? "";
  if (!((tokens.get(accessToken) ?? 0) > Date.now())) return reject(reply, 401, "01", "Invalid Token (B2B)");
  const timestamp = headerOf(request, "x-timestamp");
  const bodyHash = hashBody(request.rawBody);
  request.bodyHash = bodyHash;
  const text = stringToSign.transaction({ method: "POST", path: request.url, accessToken, bodyHash, timestamp });
  const isSigned = isRecent(timestamp) && verifyHmac(secret, text, headerOf(request, "x-signature"));
  if (!isSigned || headerOf(request, "x-partner-id") !== partnerId) {
    return reject(reply, 401, "00", "Unauthorized. [Signature]");
  }
  if (headerOf(request, "x-external-id") === "") return reject(reply, 400, "02", "Invalid Mandatory Field");
  done();
}

app.setErrorHandler((error: Error & { readonly code?: string; readonly statusCode?: number }, _request, reply) => {
  const [status, code, message] = rejections[error.code ?? ""] ?? [error.statusCode ?? 500, "00", error.message];
  reject(reply, status, code, message);
});

app.post(`/v1.0/${operations.accessTokenB2b.path}`, (request, reply) => {
  const timestamp = headerOf(request, "x-timestamp");
  const isOurs = headerOf(request, "x-client-key") === clientKey && isRecent(timestamp);
  const signature = headerOf(request, "x-signature");
  if (!isOurs || !verifyRsa(publicKey, stringToSign.token(clientKey, timestamp), signature)) {
    return reject(reply, 401, "00", "Unauthorized. [Signature]");
  }
  const accessToken = randomBytes(32).toString("base64url");
  tokens.set(accessToken, Date.now() + tokenLastsMs);
  void reply.send({ accessToken, tokenType: "Bearer", expiresIn: String(tokenLastsMs / 1_000) });
});

app.post<{ Body: Transfer }>(
  `/v1.0/${operations.intrabankTransfer.path}`,
  { schema: transferSchema, preValidation: authenticate },
  async (request) => {
    const values = statement.valuesOf({
      partnerId,
      externalId: headerOf(request, "x-external-id"),
      bodyHash: request.bodyHash,
      signature: headerOf(request, "x-signature"),
      timestamp: headerOf(request, "x-timestamp"),
      transfer: request.body,
    });
    const { rows } = await pool.query<TransferRow>({ name: "transfer", text: statement.text, values: [...values] });
    const { id: referenceNo, rejection } = rows[0] ?? {};
    if (rejection) throw Object.assign(new Error("The transfer was rejected."), { code: rejection });
    return { responseCode: "2001700", responseMessage: "Successful", referenceNo, ...request.body };
  },
);

const url = new URL(await app.listen({ port: 0, host: "127.0.0.1", backlog: 4_096 }));
process.send?.(partner.callerAt(Number(url.port)));
process.on("disconnect", () => process.exit());
