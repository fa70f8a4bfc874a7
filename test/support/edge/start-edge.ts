/** Starts an edge on a real socket with handlers of the test, and signs calls to it. */
import { generateKeyPairSync, randomBytes, randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import {
  formatTimestamp,
  hashBody,
  type OperationName,
  operations,
  signHmac,
  signRsa,
  stringToSign,
} from "@titian/contract";
import { Agent, request } from "undici";
import type { Call, Handler, PartnerCredentials } from "../../../packages/server/src/interfaces/call.ts";
import { createClock, type MovableClock } from "../../../packages/server/src/basics/clock.ts";
import type { CustomerGrants } from "../../../packages/server/src/edge/authentication/customer-token.ts";
import {
  createEdge,
  type Edge,
  type EdgeDeps,
  type EdgeSettings,
} from "../../../packages/server/src/edge/create-edge.ts";
import { createMetrics } from "../../../packages/server/src/observability/metrics.ts";
import { createTokens, type Tokens } from "../../../packages/server/src/edge/authentication/tokens.ts";
import { createLog } from "../../../packages/server/src/observability/log.ts";
import { edgeSettings } from "./edge-settings.ts";

const partnerKeys = generateKeyPairSync("rsa", { modulusLength: 2048 });
export const privateKey = partnerKeys.privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const publicKey = partnerKeys.publicKey.export({ type: "spki", format: "pem" }).toString();

function partnerOf(partnerId: string, overrides: Partial<PartnerCredentials> = {}): PartnerCredentials {
  return {
    key: randomUUID(),
    partnerId,
    clientKey: `client-${partnerId}`,
    status: "active",
    signing: "symmetric",
    secrets: [`secret-of-${partnerId}`],
    publicKeys: [publicKey],
    services: Object.values(operations).map(({ code }) => code),
    addresses: [],
    acceptsMinifiedSignature: true,
    channelIdLengthMax: 5,
    ...overrides,
  };
}

export interface TestEdge {
  readonly edge: Edge;
  readonly url: string;
  readonly port: number;
  /** Where metrics, health and documentation are. */
  readonly managementUrl: string;
  readonly clock: MovableClock;
  readonly tokens: Tokens;
  /** State that may change between calls. */
  readonly state: {
    symmetric: PartnerCredentials;
    asymmetric: PartnerCredentials;
    isStale: boolean;
    endedGrant: string | undefined;
    hasCapacity: boolean;
    ready: boolean;
    readinessAsked: number;
  };
  /** The calls that reached a handler, oldest first. */
  readonly calls: Call[];
  readonly logLines: string[];
  send(recipe: Recipe): Promise<Received>;
}

export interface EdgeOptions {
  readonly handlers?: Partial<Record<OperationName, Handler>>;
  readonly settings?: Partial<EdgeSettings>;
  /** Redeems for service 74; without it nothing presented is good. */
  readonly redeem?: CustomerGrants["redeem"];
  readonly logLevel?: "debug" | "info";
  readonly management?: EdgeDeps["management"];
  readonly limits?: EdgeDeps["limits"];
  readonly hooks?: EdgeDeps["hooks"];
  readonly documentSource?: EdgeDeps["documentSource"];
  readonly beforeListen?: (edge: Edge) => void;
}

/** An edge that lives as long as the test. Without a handler of its own, 17 and 36 answer success. */
export async function startEdge(t: Pick<TestContext, "after">, options: EdgeOptions = {}): Promise<TestEdge> {
  const clock = createClock();
  const tokens = createTokens({ keys: [{ id: "k", key: randomBytes(32) }], clock });
  const state = {
    symmetric: partnerOf("P-HMAC"),
    asymmetric: partnerOf("P-RSA", { signing: "asymmetric", secrets: [] }),
    isStale: false,
    endedGrant: undefined as string | undefined,
    hasCapacity: true,
    ready: true,
    readinessAsked: 0,
  };
  const calls: Call[] = [];
  const logLines: string[] = [];
  const find = (matches: (partner: PartnerCredentials) => boolean) => [state.symmetric, state.asymmetric].find(matches);
  const succeed: Handler = () => Promise.resolve({ case: "success" });
  const record =
    (handler: Handler): Handler =>
    (call) => {
      calls.push(call);
      return handler(call);
    };
  const handlers = { intrabankTransfer: succeed, statusInquiryBank: succeed, ...options.handlers };
  const edge = await createEdge({
    settings: { ...edgeSettings, ...options.settings },
    clock,
    log: createLog({ level: options.logLevel ?? "debug", destination: { write: (line) => void logLines.push(line) } }),
    hideSecrets: (text) => text,
    metrics: createMetrics(),
    tokens,
    partners: {
      byKey: (key) => find((partner) => partner.key === key),
      byPartnerId: (partnerId) => find((partner) => partner.partnerId === partnerId),
      byClientKey: (clientKey) => find((partner) => partner.clientKey === clientKey),
      isStale: () => state.isStale,
      isGrantEnded: (grantId) => grantId === state.endedGrant,
    },
    customerGrants: { redeem: options.redeem ?? (() => Promise.resolve("invalid")) },
    handlers: Object.fromEntries(Object.entries(handlers).map(([name, handler]) => [name, record(handler)])),
    hasCapacity: () => state.hasCapacity,
    readiness: () => {
      state.readinessAsked += 1;
      return { ready: state.ready, checks: { database: state.ready ? "up" : "down" } };
    },
    ...(options.management && { management: options.management }),
    ...(options.limits && { limits: options.limits }),
    hooks: options.hooks,
    documentSource: options.documentSource,
  });
  options.beforeListen?.(edge);
  const { baseUrl: url, managementUrl } = await edge.listen(0, "127.0.0.1");
  const agent = new Agent();
  t.after(async () => {
    await agent.close();
    await edge.close();
  });
  const known = { edge, url, port: Number(new URL(url).port), managementUrl, clock, tokens, state, calls, logLines };
  return { ...known, send: (recipe) => send(known, agent, recipe) };
}

/** Recipe of a call; absent members are as they should be. */
export interface Recipe {
  readonly operation?: OperationName;
  readonly method?: "GET" | "POST" | "PUT" | "HEAD" | "OPTIONS" | "DELETE" | "PATCH" | "TRACE";
  /** Path and query. */
  readonly target?: string;
  readonly body?: string | Buffer;
  /** The bytes that are signed, if not the body. */
  readonly signedBody?: string;
  readonly signing?: "symmetric" | "asymmetric";
  readonly secret?: string;
  /** Headers to change, by the standard's name; undefined leaves one out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface Received {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export const transfer = {
  partnerReferenceNo: "T-0001",
  amount: { value: "10000.00", currency: "IDR" },
  beneficiaryAccountNo: "2000000002",
  sourceAccountNo: "1000000001",
  transactionDate: "2026-11-21T10:00:00+07:00",
};

/** The headers of a signed call, and the target they were signed for. */
export async function signCall(
  { state, tokens, clock }: Pick<TestEdge, "state" | "tokens" | "clock">,
  recipe: Recipe,
): Promise<{ readonly headers: Record<string, string>; readonly target: string; readonly body: string | Buffer }> {
  const { operation = "intrabankTransfer", signing = "symmetric", body = JSON.stringify(transfer) } = recipe;
  const target = recipe.target ?? `/v1.0/${operations[operation].path}`;
  const partner = state[signing];
  const timestamp = recipe.headers?.["X-TIMESTAMP"] ?? formatTimestamp(clock.now());
  const token = signing === "symmetric" ? (await tokens.issue(partner.key)).token : undefined;
  const authorization =
    recipe.headers !== undefined && "Authorization" in recipe.headers
      ? recipe.headers["Authorization"]
      : token && `Bearer ${token}`;
  const accessToken = signing === "symmetric" ? (authorization ?? "").replace(/^Bearer /, "") : undefined;
  const bodyHash = hashBody(Buffer.from(recipe.signedBody ?? body));
  const text = stringToSign.transaction({ method: "POST", path: target, accessToken, bodyHash, timestamp });
  const secret = recipe.secret ?? partner.secrets[0] ?? "";
  const headers: Record<string, string | undefined> = {
    "Content-Type": "application/json",
    "X-TIMESTAMP": timestamp,
    "X-SIGNATURE": signing === "symmetric" ? signHmac(secret, text) : signRsa(privateKey, text),
    "X-PARTNER-ID": partner.partnerId,
    "X-EXTERNAL-ID": "41807553358950093184",
    "CHANNEL-ID": "95221",
    ...recipe.headers,
    Authorization: authorization,
  };
  const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { headers: Object.fromEntries(given), target, body };
}

async function send(
  edge: Pick<TestEdge, "state" | "tokens" | "clock" | "url">,
  agent: Agent,
  recipe: Recipe,
): Promise<Received> {
  const { headers, target, body } = await signCall(edge, recipe);
  const method = recipe.method ?? "POST";
  const sendsBody = method !== "GET" && method !== "HEAD" && method !== "TRACE";
  const response = await request(`${edge.url}${target}`, {
    dispatcher: agent,
    method,
    headers,
    body: sendsBody ? body : null,
  });
  return received(response.statusCode, response.headers, await response.body.text());
}

export function received(status: number, headers: Received["headers"], text: string): Received {
  const fields: Record<string, unknown> = text === "" ? {} : JSON.parse(text);
  return {
    status,
    headers,
    text,
    fields,
    code: String(fields["responseCode"] ?? ""),
    message: String(fields["responseMessage"] ?? ""),
  };
}
