/** Host of these pages: a sandbox, or a node in production. Where its calls are, and how a session with it is opened. */
import { signal } from "@preact/signals";
import type { Role, SessionRequest } from "@titian/control/types";

/** The operator whose session it is, of `GET /operators/me`. */
export interface Operator {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly sessionId: string;
  readonly roles: readonly Role[];
  /** Routes of the calls that act and that the roles make. */
  readonly acts: readonly string[];
  readonly csrfToken?: string;
}

export type SessionResult = "opened" | "refused";

type Kind = "sandbox" | "production";

/** On every call: another site's page cannot send it. */
const pageHeaders = { "X-Titian-Console": "1" } as const;
/** The session's cookie of the sandbox is set for its path. */
const controls: Readonly<Record<Kind, string>> = { sandbox: "/sandbox", production: "/control" };

let kind: Kind | undefined;
/** Undefined in a sandbox, and before a login. */
export const operator = signal<Operator | undefined>(undefined);

export const isProduction = (): boolean => kind === "production";

/** Where an operator of production begins. */
export const loginPath = "/operators/login";

/** True: one of the roles is the operator's. A sandbox has one user, who may do all. */
export const may = (...roles: readonly Role[]): boolean =>
  !isProduction() || roles.some((role) => operator.value?.roles.includes(role));

/** True: the operator's roles make the call, such as `POST /accounts`. */
export const mayCall = (route: string): boolean => !isProduction() || operator.value?.acts.includes(route) === true;

export const controlPath = (): string => controls[kind ?? "sandbox"];

export function headersOf(method: string): Readonly<Record<string, string>> {
  const token = operator.peek()?.csrfToken;
  return method === "GET" || token === undefined ? pageHeaders : { ...pageHeaders, "csrf-token": token };
}

/** @throws TypeError when the service cannot be reached */
export async function openSession(controlToken?: string): Promise<SessionResult> {
  kind ??= await askHost();
  return kind === "production" ? findOperator() : openSandboxSession(controlToken);
}

async function askHost(): Promise<Kind> {
  const answer = await get("/console.json");
  if (!answer.ok) throw new TypeError("The service does not say who it is.");
  const { host } = (await answer.json()) as { readonly host: Kind };
  return host;
}

async function findOperator(): Promise<SessionResult> {
  const answer = await get("/operators/me");
  operator.value = answer.ok ? ((await answer.json()) as Operator) : undefined;
  return answer.ok ? "opened" : "refused";
}

/** Ends the operator's session. */
export async function logOut(): Promise<void> {
  const answer = await fetch("/operators/logout", {
    method: "POST",
    headers: headersOf("POST"),
    credentials: "same-origin",
  });
  const { ok, status } = answer;
  // Without a session there is nothing to end.
  if (!ok && status !== 401) throw new Error(`The session was not ended: HTTP ${status}. Reload the page.`);
  operator.value = undefined;
  const { address } = ok ? ((await answer.json()) as { readonly address?: string }) : {};
  // Else the next login at the identity provider would ask for nothing.
  if (address !== undefined) location.assign(address);
}

/**
 * Without a token the sandbox opens a session for a browser on its own machine. The token travels in this one body; the
 * session in a cookie that scripts cannot read.
 */
async function openSandboxSession(controlToken?: string): Promise<SessionResult> {
  const request: SessionRequest = controlToken === undefined ? {} : { controlToken };
  const response = await fetch(`${controls.sandbox}/session`, {
    method: "POST",
    headers: { ...pageHeaders, "Content-Type": "application/json" },
    body: JSON.stringify(request),
    credentials: "same-origin",
  });
  if (response.ok || (controlToken === undefined && (await hasSession()))) return "opened";
  return "refused";
}

/** True when the browser still has the cookie of an earlier visit. */
async function hasSession(): Promise<boolean> {
  const { ok } = await get(`${controls.sandbox}/clock`);
  return ok;
}

const get = (path: string) => fetch(path, { headers: pageHeaders, credentials: "same-origin" });
