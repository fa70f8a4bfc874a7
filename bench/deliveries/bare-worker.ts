/**
 * Bare sender of notifications, as one would write it who only wants to send: sign, post, next. The body and the
 * signature are those of the service.
 */
import { createPrivateKey } from "node:crypto";
import { formatTimestamp, hashBody, signHmac, signRsaAsync, stringToSign } from "@titian/contract";
import { Agent, request } from "undici";
import { runClosedLoop } from "../closed-loop.ts";
import { serveWindows } from "../workers/serve-windows.ts";
import { partnerCount } from "./partners.ts";

export interface BareSettings {
  readonly origin: string;
  /** PKCS#8 PEM. */
  readonly privateKey: string;
  /** Signs by HMAC, with a token; absent: by RSA. */
  readonly secret?: string | undefined;
  readonly body: string;
}

serveWindows<BareSettings>(({ origin, privateKey, secret, body }) => {
  const key = createPrivateKey(privateKey);
  const bytes = Buffer.from(body);
  const accessToken = secret === undefined ? undefined : "token-of-a-partner";
  let number = 0;
  return Promise.resolve((window) => {
    const agent = new Agent({ connections: window.callers, pipelining: 1 });
    const call = async () => {
      number += 1;
      const path = `/p${number % partnerCount}/v1.0/transfer-rtgs/notify`;
      const timestamp = formatTimestamp(Date.now());
      const signed = { method: "POST", path, accessToken, bodyHash: hashBody(bytes), timestamp };
      const text = stringToSign.transaction(signed);
      const headers = {
        "Content-Type": "application/json",
        ...(accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }),
        "X-TIMESTAMP": timestamp,
        "X-CLIENT-KEY": "titian",
        "X-SIGNATURE": secret === undefined ? await signRsaAsync(key, text) : signHmac(secret, text),
        "X-PARTNER-ID": "bench",
        "X-EXTERNAL-ID": String(number).padStart(32, "0"),
        "CHANNEL-ID": "95221",
      };
      const reply = await request(origin + path, { method: "POST", headers, body: bytes, dispatcher: agent });
      const { responseCode } = (await reply.body.json()) as { readonly responseCode?: string };
      if (reply.statusCode !== 200 || responseCode !== "2007600") throw new Error(`answered ${reply.statusCode}`);
    };
    return Promise.resolve(async () => {
      const seen = await runClosedLoop(window, call);
      await agent.close();
      return seen;
    });
  });
});
