// npx node --conditions=source verify.mjs <public-key.pem> <partner-id> <path> <timestamp> <signature> < body
import { readFileSync } from "node:fs";
import { createMemoryStore, createReceiver } from "@titian/client";

const [file, partnerId, path, timestamp, signature, ...others] = process.argv.slice(2);
if (signature === undefined || others.length > 0) {
  console.error("Usage: verify.mjs <public-key.pem> <partner-id> <path> <timestamp> <signature> < body");
  process.exit(1);
}
const note = (_notification, { serviceCode, number, status }) => {
  console.log(`verified: ${serviceCode} ${number} ${status}`);
};
const words = { timestamp: "not recent", partner: "not for this partner" };
const receiver = createReceiver({
  partnerId,
  keys: { mode: "asymmetric", providerPublicKeys: [readFileSync(file, "utf8")] },
  store: createMemoryStore(),
  on: { rtgs: note, skn: note, bulk: note },
  onRejected: ({ step }) => console.log(`rejected: ${words[step] ?? step}`),
});

// A server passes on what it got: receiver(request) with the Fetch API, receiver.nodeListener with node:http and Express.
const headers = {
  "Content-Type": "application/json",
  "X-TIMESTAMP": timestamp,
  "X-SIGNATURE": signature,
  "X-PARTNER-ID": partnerId,
  "X-EXTERNAL-ID": "1",
  "CHANNEL-ID": "95221",
};
await receiver(new Request(`https://partner.example${path}`, { method: "POST", headers, body: readFileSync(0) }));
