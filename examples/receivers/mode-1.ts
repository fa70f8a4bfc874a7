/** Mode 1: the provider obtains a token at your token endpoint, and signs with it and your client secret. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createMemoryStore, createReceiver, createTokenEndpoint } from "@titian/client";

const { PARTNER_ID = "PARTNER-1", PROVIDER_PUBLIC_KEYS = "provider.pem" } = process.env;
/** The client id that you gave the provider, the secret that it gave you, and one that only you know. */
const { PROVIDER_CLIENT_KEY = "", CLIENT_SECRET = "", TOKEN_SECRET = "" } = process.env;

const tokenEndpoint = createTokenEndpoint({
  clientKey: PROVIDER_CLIENT_KEY,
  providerPublicKeys: PROVIDER_PUBLIC_KEYS.split(",").map((path) => readFileSync(path, "utf8")),
  tokenSecrets: [TOKEN_SECRET],
});

const receiver = createReceiver({
  partnerId: PARTNER_ID,
  keys: { mode: "symmetric", clientSecrets: [CLIENT_SECRET], tokenSecrets: [TOKEN_SECRET] },
  store: createMemoryStore(),
  on: {
    rtgs: ({ originalReferenceNo, latestTransactionStatus }) =>
      console.log(originalReferenceNo, latestTransactionStatus),
  },
});

export const server = createServer((request, response) => {
  const endpoint = request.url?.endsWith("/access-token/b2b") ? tokenEndpoint : receiver;
  endpoint.nodeListener(request, response);
});
server.listen(Number(process.env["PORT"] ?? 8080));
