/** What one would write who only wants to send: sign, post, next. The body and the signature are those of the service. */
import { createPrivateKey } from "node:crypto";
import { formatTimestamp, hashBody, signHmac, signRsaAsync, stringToSign } from "@titian/contract";
import { Agent, request } from "undici";
import { concurrency, partnerCount } from "./delivery-cells.ts";
import type { BareSettings, BareTask } from "./start-bare.ts";

let settings: BareSettings | undefined;

process.on("message", (message: BareSettings | BareTask) => {
  if ("origin" in message) settings = message;
  else if (settings) void sendAll(settings, message).then((elapsedMs) => process.send?.(elapsedMs));
});
process.on("disconnect", () => process.exit());

/** Milliseconds that it took. */
async function sendAll({ origin, privateKey, secret, body }: BareSettings, { mode, count }: BareTask): Promise<number> {
  const agent = new Agent({ connections: concurrency, pipelining: 1 });
  const key = createPrivateKey(privateKey);
  const bytes = Buffer.from(body);
  const accessToken = mode === "symmetric" ? "token-of-a-partner" : undefined;
  let next = 0;
  const startedAt = performance.now();
  const loop = async () => {
    while (next < count) {
      const number = next++;
      const path = `/p${number % partnerCount}/v1.0/transfer-rtgs/notify`;
      const timestamp = formatTimestamp(Date.now());
      const text = stringToSign.transaction({
        method: "POST",
        path,
        accessToken,
        bodyHash: hashBody(bytes),
        timestamp,
      });
      const headers = {
        "Content-Type": "application/json",
        ...(accessToken !== undefined && { Authorization: `Bearer ${accessToken}` }),
        "X-TIMESTAMP": timestamp,
        "X-CLIENT-KEY": "titian",
        "X-SIGNATURE": mode === "symmetric" ? signHmac(secret, text) : await signRsaAsync(key, text),
        "X-PARTNER-ID": "bench",
        "X-EXTERNAL-ID": String(number).padStart(32, "0"),
        "CHANNEL-ID": "95221",
      };
      const reply = await request(origin + path, { method: "POST", headers, body: bytes, dispatcher: agent });
      const { responseCode } = (await reply.body.json()) as { readonly responseCode?: string };
      if (reply.statusCode !== 200 || responseCode !== "2007600") throw new Error(`answered ${reply.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, loop));
  const elapsedMs = performance.now() - startedAt;
  await agent.close();
  return elapsedMs;
}
