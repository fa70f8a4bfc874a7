/** The sandbox's control API (docs/sandbox.md), as far as commands use it. */
import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import type { RailName } from "@titian/server/admin";
import { CliError } from "../cli-error.ts";
import type { SandboxFile } from "./sandbox-file.ts";

const text = Type.String();
const textOrNull = Type.Union([Type.String(), Type.Null()]);

const Address = Type.Object({ url: textOrNull });
const Clock = Type.Object({ now: text });
const Rail = Type.Object({
  rail: text,
  /** Null: a rail of the program that runs the sandbox. */
  mode: textOrNull,
  isOpen: Type.Boolean(),
  /** While it is closed; absent: it does not open within a year. */
  opensAt: Type.Optional(text),
});
const Rails = Type.Object({ now: text, rails: Type.Array(Rail) });
const Settled = Type.Object({ settled: Type.Number() });
const Attempt = Type.Object({
  /** From 1. */
  attempt: Type.Number(),
  at: text,
  url: text,
  durationMs: Type.Number(),
  httpStatus: Type.Optional(Type.Number()),
  responseCode: Type.Optional(text),
  /** Its first characters. */
  reply: Type.Optional(text),
  /** Absent: accepted. */
  failure: Type.Optional(text),
});
const Notification = Type.Object({
  externalId: text,
  serviceCode: text,
  status: text,
  state: Type.Enum(["waiting", "delivered", "dead", "kept"]),
  /** Business time, as `at` of the attempts. */
  nextAttemptAt: textOrNull,
  /** Attempts begun, the one under way included. */
  attemptCount: Type.Number(),
  /** Those that ended, newest first. */
  attempts: Type.Array(Attempt),
});
const Notifications = Type.Object({ notifications: Type.Array(Notification) });
const Failure = Type.Object({ error: Type.Object({ code: text, message: text }) });

export type SandboxNotification = Static<typeof Notification>;

/** Each call @throws CliError that says what is wrong and what to do. */
export interface ControlApi {
  notificationAddress(partnerId: string): Promise<string | null>;
  setNotificationAddress(partnerId: string, url: string | null): Promise<void>;
  /** Of a transfer (referenceNo) or bulk (bulkId), newest first. */
  notificationsOf(number: string): Promise<readonly SandboxNotification[]>;
  /** All rails, and the sandbox's time. */
  rails(): Promise<Static<typeof Rails>>;
  /** Ends what waits on the rail; returns how many. */
  settle(rail: RailName): Promise<number>;
  returnTransfer(referenceNo: string): Promise<void>;
  now(): Promise<string>;
  /** Forward only. */
  moveClock(time: string): Promise<void>;
}

type SandboxAddress = Pick<SandboxFile, "baseUrl" | "controlToken">;

/** `locate` is asked for each call: a sandbox that is started again may be elsewhere. */
export function createControlApi(locate: () => SandboxAddress): ControlApi {
  const get = <Schema extends TSchema>(path: string, schema: Schema) => send(locate(), { method: "GET", path }, schema);
  const post = <Schema extends TSchema>(path: string, schema: Schema, body?: object) =>
    send(locate(), { method: "POST", path, body }, schema);
  const addressOf = (partnerId: string) => `partners/${encodeURIComponent(partnerId)}/notification-address`;
  return {
    notificationAddress: async (partnerId) => (await get(addressOf(partnerId), Address)).url,
    setNotificationAddress: async (partnerId, url) =>
      void (await send(locate(), { method: "PUT", path: addressOf(partnerId), body: { url } }, Address)),
    notificationsOf: async (number) =>
      (await get(`notifications?referenceNo=${encodeURIComponent(number)}`, Notifications)).notifications,
    rails: () => get("rails", Rails),
    settle: async (rail) => (await post(`rails/${rail}/settle`, Settled)).settled,
    returnTransfer: async (referenceNo) =>
      void (await post(`transfers/${encodeURIComponent(referenceNo)}/return`, Type.Object({}))),
    now: async () => (await get("clock", Clock)).now,
    moveClock: async (time) => void (await post("clock", Clock, { set: time })),
  };
}

interface ControlCall {
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: object | undefined;
}

/** The clock and rails do what is due before they answer, for up to 30 s. */
const timeoutMs = 60_000;

async function send<Schema extends TSchema>(
  { baseUrl, controlToken }: SandboxAddress,
  { method, path, body }: ControlCall,
  schema: Schema,
): Promise<Static<Schema>> {
  const response = await fetch(`${baseUrl}/sandbox/${path}`, {
    method,
    headers: { Authorization: `Bearer ${controlToken}` },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new CliError(`No sandbox responds at ${baseUrl} (${reasonOf(error)}). Start it with \`npm start\`.`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && Check(schema, answer)) return answer;
  throw new CliError(explain(response.status, answer, baseUrl));
}

function explain(status: number, answer: unknown, baseUrl: string): string {
  if (status === 401) {
    return `The sandbox at ${baseUrl} does not accept the control token of sandbox.json. Is the file the running sandbox's?`;
  }
  if (!Check(Failure, answer)) {
    return `The service at ${baseUrl} is not a sandbox of this release (HTTP ${status}): it has no such control call.`;
  }
  const { code, message } = answer.error;
  return code === "unknownCall" ? `The sandbox at ${baseUrl} is of an earlier release: start it again.` : message;
}

/** `fetch` has the system's reason as its cause. */
function reasonOf(error: unknown): string {
  const cause: unknown = error instanceof Error ? (error.cause ?? error) : error;
  if (typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string") {
    return cause.code;
  }
  return cause instanceof Error ? cause.message : String(cause);
}
