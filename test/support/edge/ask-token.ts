/** Signs a request of service 73 or 74 and sends it to a test's edge. */
import { formatTimestamp, signRsa, stringToSign } from "@titian/contract";
import { request } from "undici";
import { privateKey, type Received, received, type TestEdge } from "./start-edge.ts";

/** Token call; absent members are as they should be for service 73. */
export interface TokenRecipe {
  readonly method?: "GET" | "POST";
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly path?: string;
}

export async function askToken(edge: TestEdge, recipe: TokenRecipe = {}): Promise<Received> {
  const timestamp = recipe.headers?.["X-TIMESTAMP"] ?? formatTimestamp(edge.clock.now());
  const clientKey = edge.state.symmetric.clientKey;
  const headers = {
    "Content-Type": "application/json",
    "X-TIMESTAMP": timestamp,
    "X-CLIENT-KEY": clientKey,
    "X-SIGNATURE": signRsa(privateKey, stringToSign.token(clientKey, timestamp)),
    ...recipe.headers,
  };
  const method = recipe.method ?? "POST";
  const body = method === "GET" ? null : (recipe.body ?? '{"grantType":"client_credentials"}');
  const response = await request(`${edge.url}${recipe.path ?? "/v1.0/access-token/b2b"}`, { method, headers, body });
  return received(response.statusCode, response.headers, await response.body.text());
}
