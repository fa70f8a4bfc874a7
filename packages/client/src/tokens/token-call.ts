/** 73 and 74: signed with the private key alone (spec D3). */
import { operations } from "@titian/contract";
import type { NewToken } from "./access-tokens.ts";
import { writeBody } from "../attempt.ts";
import type { SendOptions } from "../exchange/call-options.ts";
import { startDeadline } from "../exchange/deadline.ts";
import { ProtocolError } from "../errors/errors.ts";
import { exchange } from "../exchange/exchange.ts";
import type { CallName } from "../names.ts";
import type { Settings } from "../options.ts";
import { toResult, type Outcome } from "../exchange/outcome.ts";
import { parseResponse } from "../exchange/parse-response.ts";
import { tokenCallHeaders } from "../signed-headers.ts";

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
    return exchanged.kind === "received" ? parseResponse(name, exchanged) : exchanged;
  } finally {
    deadline.release();
  }
}

/** The code or refresh token of 74. */
function secretsIn(body: string): readonly string[] {
  const { authCode, refreshToken } = JSON.parse(body) as Readonly<Record<string, unknown>>;
  return [authCode, refreshToken].filter((secret): secret is string => typeof secret === "string" && secret !== "");
}

/** The access token of the client. Many calls share it, so it has the client's time-out and no caller's signal. */
export async function obtainToken(settings: Settings): Promise<NewToken> {
  const operation = "accessTokenB2b";
  const body = writeBody({ grantType: "client_credentials" });
  const outcome = await callForToken(settings, operation, body, {});
  const { accessToken, expiresIn, httpStatus } = toResult({ operation, body, maybeSentBefore: false }, outcome);
  const lifetimeSeconds = Number(expiresIn);
  if (!/^[\x21-\x7e]+$/.test(accessToken) || !/^\d+$/.test(expiresIn) || lifetimeSeconds === 0) {
    const context = { operation, attempt: undefined, isFinal: true } as const;
    throw new ProtocolError(httpStatus, "an invalid accessToken or expiresIn", context);
  }
  return { accessToken, lifetimeSeconds };
}
