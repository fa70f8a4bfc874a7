/** 73 and 74: signed with the private key alone (decision D3). */
import { operations } from "@titian/contract";
import type { NewToken } from "./access-tokens.ts";
import { writeBody } from "./attempt.ts";
import type { SendOptions } from "./call-options.ts";
import { startDeadline } from "./deadline.ts";
import { ProtocolError } from "./errors.ts";
import { exchange } from "./exchange.ts";
import type { CallName } from "./names.ts";
import type { Settings } from "./options.ts";
import { conclude, type Outcome } from "./outcome.ts";
import { readAnswer } from "./read-answer.ts";
import { tokenCallHeaders } from "./signed-headers.ts";

export async function callForToken<Name extends CallName>(
  settings: Settings,
  name: Name,
  body: string,
  options: SendOptions,
): Promise<Outcome<Name>> {
  const row = operations[name];
  const deadline = startDeadline(options.timeoutMs ?? settings.timeoutMs, options.signal);
  try {
    const headers = await tokenCallHeaders(settings, options);
    const reason = deadline.reason();
    if (reason !== undefined) return { kind: "notSent", reason };
    const path = `${settings.basePath}/${row.path}`;
    const outgoing = { row, path, headers, bytes: new TextEncoder().encode(body), secrets: secretsIn(body) };
    const exchanged = await exchange(settings, outgoing, deadline);
    return exchanged.kind === "received" ? readAnswer(name, exchanged) : exchanged;
  } finally {
    deadline.release();
  }
}

/** What 74 presents. */
function secretsIn(body: string): readonly string[] {
  const { authCode, refreshToken } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return [authCode, refreshToken].filter((secret): secret is string => typeof secret === "string" && secret !== "");
}

/** A token for our own calls. It is waited for by many, so it has the client's own time-out and nobody's signal. */
export async function obtainToken(settings: Settings): Promise<NewToken> {
  const operation = "accessTokenB2b";
  const body = writeBody({ grantType: "client_credentials" });
  const outcome = await callForToken(settings, operation, body, {});
  const { accessToken, expiresIn, httpStatus } = conclude({ operation, body, maybeSentBefore: false }, outcome);
  const lifeSeconds = Number(expiresIn);
  if (!/^[\x21-\x7e]+$/.test(accessToken) || !/^\d+$/.test(expiresIn) || lifeSeconds === 0) {
    const context = { operation, attempt: undefined, isDecided: true } as const;
    throw new ProtocolError(httpStatus, "an accessToken or expiresIn that cannot be used", context);
  }
  return { accessToken, lifeSeconds };
}
