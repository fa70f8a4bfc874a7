/** Answers notifications where no program of the developer's does: with the SDK's receiver, which accepts what verifies. */
import { hash } from "node:crypto";
import { createMemoryStore, createReceiver, createTokenEndpoint, type Endpoint } from "@titian/client";
import { bearerToken, operations } from "@titian/contract";
import type { Provider } from "./provider.ts";
import { type Answer, badGateway, type Incoming } from "./incoming.ts";

/** The mode goes by the request: it is a setting of the partner, which may change while the listener runs. */
export function createAnswerHere(provider: Provider): Answer {
  const { clientSecret, partnerId, publicKey, clientKey } = provider;
  const store = createMemoryStore();
  const on = {
    rtgs: () => undefined,
    skn: () => undefined,
    bulk: ({ bulkId, partnerBulkId }: { readonly bulkId: string; readonly partnerBulkId: string }) => ({
      bulkId,
      partnerBulkId,
    }),
  };
  // The same after a restart: the service keeps a token for as long as it is valid.
  const tokenSecrets = [hash("sha256", `titian listen ${clientSecret}`)];
  const providerPublicKeys = [publicKey];
  const byKey = createReceiver({ partnerId, keys: { mode: "asymmetric", providerPublicKeys }, store, on });
  const keys = { mode: "symmetric", clientSecrets: [clientSecret], tokenSecrets } as const;
  const byToken = createReceiver({ partnerId, keys, store, on });
  const tokens = createTokenEndpoint({ clientKey, providerPublicKeys, tokenSecrets });
  const endpointOf = ({ target, headers }: Incoming): Endpoint => {
    const [path = ""] = target.split("?", 1);
    if (path.endsWith(`/${operations.accessTokenB2b.path}`)) return tokens;
    return bearerToken(headers.authorization) === undefined ? byKey : byToken;
  };
  return async (incoming) => {
    try {
      const response = await endpointOf(incoming)(toRequest(incoming));
      const body = new Uint8Array(await response.arrayBuffer());
      return { status: response.status, headers: [...response.headers].flat(), body };
    } catch (error) {
      return badGateway(error instanceof Error ? error.message : String(error));
    }
  };
}

function toRequest({ target, headers, body }: Incoming): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(", ") : value]],
  );
  return new Request(`http://127.0.0.1${target}`, { method: "POST", headers: pairs, body });
}
