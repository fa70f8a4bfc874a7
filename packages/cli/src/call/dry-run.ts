/** `--dry-run`: shows the request and its string to sign, sends nothing. */
import type { Fetch, FetchResponse } from "@titian/client";
import { hashBody, headerNames, operations, responseCode, responseMessage } from "@titian/contract";
import { CliError } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { type SentRequest, signedText } from "./signed-text.ts";
import { shorten } from "./shorten.ts";

/** In place of the access token of service 73. */
const placeholder = "ACCESS-TOKEN";

/** Captures requests instead of sending them; token calls return the given token or a placeholder. */
export function createCapture(accessToken: string = placeholder): { readonly send: Fetch } {
  return {
    send: async (_url, { headers }) => {
      if (headers[headerNames.clientKey] === undefined) throw new Error("nothing is sent in a dry run");
      return tokenResponse(accessToken);
    },
  };
}

/** Shows the request that the client would send. */
export async function showDryRun(
  call: () => Promise<unknown>,
  sent: () => SentRequest | undefined,
  { accessToken, showSecrets }: { readonly accessToken: string | undefined; readonly showSecrets: boolean },
): Promise<void> {
  // The capture fails every call but the token's; that error is ignored.
  const failure = await call().then(
    () => undefined,
    (error: unknown) => error,
  );
  const request = sent();
  if (request === undefined) throw failure instanceof Error ? failure : new CliError("The client sent no request.");
  note(`\nBody as signed and sent (SHA-256 ${hashBody(request.body)}):`);
  note(new TextDecoder().decode(request.body));
  note("\nString to sign:");
  print(signedText(request, (token) => (showSecrets || token === placeholder ? token : shorten(token))));
  if (accessToken === undefined && headerNames.authorization in request.headers) {
    note(
      `\nX-SIGNATURE uses the placeholder ${placeholder}: a real call first gets its token from service 73. ` +
        "Give one with --access-token to see its signature.",
    );
  }
  note("\nNothing was sent (--dry-run).");
}

function tokenResponse(accessToken: string): FetchResponse {
  const response = {
    responseCode: responseCode("success", operations.accessTokenB2b.code),
    responseMessage: responseMessage("success"),
    accessToken,
    tokenType: "Bearer",
    expiresIn: "900",
  };
  const bytes = new TextEncoder().encode(JSON.stringify(response));
  return {
    status: 200,
    headers: { get: () => null },
    body: (async function* () {
      yield bytes;
    })(),
  };
}
