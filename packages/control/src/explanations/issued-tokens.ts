/** Whether tokens of a refused call are the service's own: only of those may be said that they expired. */
import { bearerToken } from "@titian/contract";
import type { ObservedCall } from "@titian/server";

type RefusedCall = Pick<ObservedCall, "rawHeaders" | "rejectedAt">;

const tokenStep = 4;
/** A call has one of each kind. */
const tokensMax = 4;

/** Those that the service's keys signed. Undefined of a call that was not refused for a token. */
export async function findIssuedTokens(
  { rawHeaders, rejectedAt }: RefusedCall,
  wasIssuedHere: (token: string) => Promise<boolean>,
): Promise<readonly string[] | undefined> {
  if (rejectedAt !== tokenStep) return undefined;
  const headers = rawHeaders.filter(
    (_, at) => at % 2 === 1 && /^authorization(?:-customer)?$/i.test(rawHeaders[at - 1] ?? ""),
  );
  const tokens = headers.map((header) => bearerToken(header)).filter((token) => token !== undefined);
  const issued = await Promise.all(
    tokens.slice(0, tokensMax).map(async (token) => ((await wasIssuedHere(token)) ? token : undefined)),
  );
  return issued.filter((token) => token !== undefined);
}
