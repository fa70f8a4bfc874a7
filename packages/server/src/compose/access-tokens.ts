/** Access tokens of this service, signed with a key derived from its master keys. */
import { createTokens, type Tokens } from "../edge/authentication/tokens.ts";
import type { Core } from "./core.ts";

export function createAccessTokens({ secrets, clock }: Pick<Core, "secrets" | "clock">): Tokens {
  return createTokens({ keys: secrets.derive("access tokens"), clock });
}
