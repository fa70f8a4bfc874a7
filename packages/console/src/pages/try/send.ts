/** Sends a signed call to the service, as any client would. */
import type { SignedRequest } from "@titian/sandbox/types";
import { now } from "../../clock.ts";

export type Mistake = "none" | "body" | "time" | "signature" | "token";

export interface ServiceAnswer {
  /** 0: the connection ended without an answer. */
  readonly status: number;
  readonly body: string;
  /** `X-CORRELATION-ID`: the call's id in the list of calls. */
  readonly callId: string | undefined;
  readonly durationMs: number;
  readonly sent: SignedRequest;
}

/** Length of HMAC-SHA512: what is wrong with the signature is not its form. */
const signatureBytes = 64;
const twoHoursMs = 7_200_000;

/** Spoils a call after it was signed, to see how it is refused. */
export function spoil(call: SignedRequest, mistake: Mistake): SignedRequest {
  const change = (headers: Readonly<Record<string, string | undefined>>): SignedRequest => {
    const kept = Object.entries({ ...call.headers, ...headers }).filter((pair): pair is [string, string] =>
      Boolean(pair[1]),
    );
    return { ...call, headers: Object.fromEntries(kept) };
  };
  switch (mistake) {
    case "none":
    case "body":
      return call;
    case "time": {
      const jakarta = new Date(now() - twoHoursMs + 25_200_000).toISOString().slice(0, 19);
      return change({ [nameOf(call, "X-TIMESTAMP")]: `${jakarta}+07:00` });
    }
    case "signature":
      return change({ [nameOf(call, "X-SIGNATURE")]: btoa("x".repeat(signatureBytes)) });
    case "token":
      return change({ [nameOf(call, "Authorization")]: undefined });
  }
}

/** The header's name as the call spells it. */
function nameOf({ headers }: SignedRequest, name: string): string {
  return Object.keys(headers).find((one) => one.toLowerCase() === name.toLowerCase()) ?? name;
}

export async function send(call: SignedRequest): Promise<ServiceAnswer> {
  const { method, path, headers, body } = call;
  const startedAt = now();
  try {
    const response = await fetch(path, { method, headers, body, credentials: "omit" });
    const text = await response.text();
    const callId = response.headers.get("X-CORRELATION-ID") ?? undefined;
    return { status: response.status, body: text, callId, durationMs: now() - startedAt, sent: call };
  } catch {
    return { status: 0, body: "", callId: undefined, durationMs: now() - startedAt, sent: call };
  }
}
