/**
 * Where the control API and the service are, and how a session with them is opened. The sandbox's; pages that are served
 * elsewhere, behind an operator's login, replace this file.
 */
import type { SessionRequest } from "@titian/control/types";

export const host = {
  /** The session's cookie is set for this path. */
  control: "/sandbox",
  /** On every call: another site's page cannot send it. */
  headers: { "X-Titian-Console": "1" },
} as const;

export type SessionResult = "opened" | "refused";

/**
 * Without a token the sandbox opens a session for a browser on its own machine. The token travels in this one body; the
 * session in a cookie that scripts cannot read.
 * @throws TypeError when the service cannot be reached
 */
export async function openSession(controlToken?: string): Promise<SessionResult> {
  const request: SessionRequest = controlToken === undefined ? {} : { controlToken };
  const response = await fetch(`${host.control}/session`, {
    method: "POST",
    headers: { ...host.headers, "Content-Type": "application/json" },
    body: JSON.stringify(request),
    credentials: "same-origin",
  });
  if (response.ok || (controlToken === undefined && (await hasSession()))) return "opened";
  return "refused";
}

/** True when the browser still has the cookie of an earlier visit. */
async function hasSession(): Promise<boolean> {
  const { ok } = await fetch(`${host.control}/clock`, { headers: host.headers, credentials: "same-origin" });
  return ok;
}
