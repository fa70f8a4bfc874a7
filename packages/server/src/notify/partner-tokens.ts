/** Tokens that partners issue to us (their own 73), for notifications that are signed with their secret (spec D14, mode 1). */
import type { KeyObject } from "node:crypto";
import { formatTimestamp, headerNames, isObject, operations, signRsaAsync, stringToSign } from "@titian/contract";
import type { NotificationEndpoint } from "../notifications.ts";
import { urlAt } from "./url-at.ts";
import type { HttpClient } from "./http-client.ts";

export interface PartnerTokens {
  /** One request at a time for each partner. @throws when its system issues none. */
  tokenOf(endpoint: NotificationEndpoint): Promise<string>;
  forget(partner: string): void;
}

export interface PartnerTokensDeps {
  readonly privateKey: KeyObject;
  readonly clientId: string;
  readonly version: string;
  readonly client: HttpClient;
  readonly real: () => number;
}

interface KnownToken {
  readonly address: string;
  readonly token: Promise<string>;
  /** Real time (epoch ms) from which a new one is asked for. */
  renewAt: number;
}

const body = Buffer.from('{"grantType":"client_credentials"}');
const defaultLifeSeconds = 900;
/** A token is renewed so long before it expires. */
const marginMs = 30_000;

export function createPartnerTokens(deps: PartnerTokensDeps): PartnerTokens {
  const { real } = deps;
  const known = new Map<string, KnownToken>();
  const ask = ({ partner }: NotificationEndpoint, address: string): KnownToken => {
    const asked = fetchToken(deps, address);
    const entry: KnownToken = { address, token: asked.then(({ token }) => token), renewAt: Infinity };
    asked.then(
      ({ lifeMs }) => {
        entry.renewAt = real() + Math.max(0, lifeMs - marginMs);
      },
      () => {
        if (known.get(partner) === entry) known.delete(partner);
      },
    );
    known.set(partner, entry);
    return entry;
  };
  return {
    tokenOf: (endpoint) => {
      const { partner, address = "" } = endpoint;
      const entry = known.get(partner);
      const isValid = entry !== undefined && entry.address === address && real() < entry.renewAt;
      return (isValid ? entry : ask(endpoint, address)).token;
    },
    forget: (partner) => void known.delete(partner),
  };
}

async function fetchToken({ privateKey, clientId, version, client, real }: PartnerTokensDeps, address: string) {
  const timestamp = formatTimestamp(real());
  const reply = await client.post(
    urlAt(address, version, operations.accessTokenB2b.path),
    {
      [headerNames.contentType]: "application/json",
      [headerNames.timestamp]: timestamp,
      [headerNames.clientKey]: clientId,
      [headerNames.signature]: await signRsaAsync(privateKey, stringToSign.token(clientId, timestamp)),
    },
    body,
  );
  const fields: unknown = JSON.parse(reply.body.toString("utf8"));
  const token = isObject(fields) ? fields["accessToken"] : undefined;
  if (reply.status !== 200 || typeof token !== "string" || token === "") {
    throw new Error(`the partner's access-token/b2b answered ${reply.status} without a token`);
  }
  const seconds = Number(isObject(fields) ? fields["expiresIn"] : undefined);
  return { token, lifeMs: (Number.isFinite(seconds) && seconds > 0 ? seconds : defaultLifeSeconds) * 1_000 };
}
