/** The sandbox's control API (docs/guides/sandbox.md), as far as commands use it. */
import {
  array,
  boolean,
  choice,
  fits,
  number,
  object,
  optional,
  orNull,
  type Schema,
  type Static,
  string,
} from "@titian/contract";
import type { RailName } from "@titian/server/admin";
import { CliError } from "../cli-error.ts";
import type { SandboxFile } from "./sandbox-file.ts";

const text = string();
const textOrNull = orNull(text);

const Address = object({ url: textOrNull });
const Clock = object({ now: text });
const Rail = object({
  rail: text,
  /** Null: a rail of the program that runs the sandbox. */
  mode: textOrNull,
  isOpen: boolean(),
  /** While it is closed; absent: it does not open within a year. */
  opensAt: optional(text),
});
const Rails = object({ now: text, rails: array(Rail) });
const Settled = object({ settled: number() });
const Attempt = object({
  /** From 1. */
  attempt: number(),
  at: text,
  url: text,
  durationMs: number(),
  httpStatus: optional(number()),
  responseCode: optional(text),
  /** Its first characters. */
  reply: optional(text),
  /** Absent: accepted. */
  failure: optional(text),
});
const Notification = object({
  externalId: text,
  serviceCode: text,
  status: text,
  state: choice(["waiting", "delivered", "dead", "kept"]),
  /** Business time, as `at` of the attempts. */
  nextAttemptAt: textOrNull,
  /** Attempts begun, the one under way included. */
  attemptCount: number(),
  /** Those that ended, newest first. */
  attempts: array(Attempt),
});
const Notifications = object({ notifications: array(Notification) });
const Failure = object({ error: object({ code: text, message: text }) });

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
  const get = <Value>(path: string, schema: Schema<Value>) => send(locate(), { method: "GET", path }, schema);
  const post = <Value>(path: string, schema: Schema<Value>, body?: object) =>
    send(locate(), { method: "POST", path, body }, schema);
  const addressOf = (partnerId: string) => `partners/${encodeURIComponent(partnerId)}/notification-address`;
  return {
    notificationAddress: async (partnerId) => (await get(addressOf(partnerId), Address)).url,
    setNotificationAddress: async (partnerId, url) =>
      void (await send(locate(), { method: "PUT", path: addressOf(partnerId), body: { url } }, Address)),
    notificationsOf: async (referenceNo) =>
      (await get(`notifications?referenceNo=${encodeURIComponent(referenceNo)}`, Notifications)).notifications,
    rails: () => get("rails", Rails),
    settle: async (rail) => (await post(`rails/${rail}/settle`, Settled)).settled,
    returnTransfer: async (referenceNo) =>
      void (await post(`transfers/${encodeURIComponent(referenceNo)}/return`, object({}))),
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

async function send<Value>(
  { baseUrl, controlToken }: SandboxAddress,
  { method, path, body }: ControlCall,
  schema: Schema<Value>,
): Promise<Value> {
  const response = await fetch(`${baseUrl}/sandbox/${path}`, {
    method,
    headers: { Authorization: `Bearer ${controlToken}` },
    body: body === undefined ? null : JSON.stringify(body),
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: unknown) => {
    throw new CliError(`No sandbox responds at ${baseUrl} (${reasonOf(error)}). Start it with \`npm start\`.`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && fits(schema, answer)) return answer;
  throw new CliError(explain(response.status, answer, baseUrl));
}

function explain(status: number, answer: unknown, baseUrl: string): string {
  if (status === 401) {
    return `The sandbox at ${baseUrl} does not accept the control token of sandbox.json. Is the file the running sandbox's?`;
  }
  if (!fits(Failure, answer)) {
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
