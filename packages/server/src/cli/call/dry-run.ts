/** `--dry-run`: what would be sent and what its signature is over, without sending anything. */
import type { Fetch, FetchResponse } from "@titian/client";
import { hashBody, headerNames, responseCode, responseMessage } from "@titian/contract";
import { CliError } from "../cli-error.ts";
import { note, print } from "../output.ts";
import { type SentRequest, signedText } from "./signed-text.ts";
import { shorten } from "./shorten.ts";

/** Stands where the access token of service 73 would. */
const placeholder = "ACCESS-TOKEN";

/** Writes requests down instead of sending them; the token it hands out is the given one or a placeholder. */
export function createCapture(accessToken: string = placeholder): { readonly send: Fetch } {
  return {
    send: async (_url, { headers }) => {
      if (headers[headerNames.clientKey] === undefined) throw new Error("nothing is sent in a dry run");
      return answerToken(accessToken);
    },
  };
}

/** Lets the client make the request up to where it would leave, and shows what came of it. */
export async function showDryRun(
  call: () => Promise<unknown>,
  sent: () => SentRequest | undefined,
  { accessToken, showSecrets }: { readonly accessToken: string | undefined; readonly showSecrets: boolean },
): Promise<void> {
  // The capture ends every call but the token's; what the client makes of that is of no interest.
  const failure = await call().then(
    () => undefined,
    (error: unknown) => error,
  );
  const request = sent();
  if (request === undefined) throw failure instanceof Error ? failure : new CliError("The client made no request.");
  note(`\nBody as signed and sent (SHA-256 ${hashBody(request.body)}):`);
  note(new TextDecoder().decode(request.body));
  note("\nString to sign:");
  print(signedText(request, (token) => (showSecrets || token === placeholder ? token : shorten(token))));
  if (accessToken === undefined && headerNames.authorization in request.headers) {
    note(
      `\nX-SIGNATURE is over the placeholder ${placeholder}: a real call gets its token from service 73 first. ` +
        "Give one with --access-token to see the signature it leads to.",
    );
  }
  note("\nNothing was sent (--dry-run).");
}

function answerToken(accessToken: string): FetchResponse {
  const answer = {
    responseCode: responseCode("success", "73"),
    responseMessage: responseMessage("success"),
    accessToken,
    tokenType: "Bearer",
    expiresIn: "900",
  };
  const bytes = new TextEncoder().encode(JSON.stringify(answer));
  return {
    status: 200,
    headers: { get: () => null },
    body: (async function* () {
      yield bytes;
    })(),
  };
}
