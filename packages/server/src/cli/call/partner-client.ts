/** A client that calls as one of the partners of `sandbox.json`, and lets somebody watch. */
import { allowInsecureHttp, type Client, createClient, type Fetch, type ObserveExchange } from "@titian/client";
import type { Clock } from "../../clock.ts";
import { CliError } from "../cli-error.ts";
import type { SandboxFile, SandboxPartner } from "../sandbox-file.ts";

export interface PartnerClientOptions {
  readonly sandbox: SandboxFile;
  readonly partner: SandboxPartner;
  readonly clock: Clock;
  readonly fetch: Fetch;
  readonly onExchange?: ObserveExchange;
}

/** @throws CliError when the file's values are none the client can use. */
export function createPartnerClient({ sandbox, partner, clock, fetch, onExchange }: PartnerClientOptions): Client {
  const { privateKey, clientSecret = "" } = partner;
  const { partnerId, channelId, clientKey } = partner;
  try {
    return createClient({
      baseUrl: sandbox.baseUrl,
      pathPrefix: sandbox.pathPrefix,
      version: sandbox.version,
      partnerId,
      channelId,
      clientKey,
      clock,
      fetch,
      onExchange,
      credentials:
        partner.signing === "symmetric"
          ? { mode: "symmetric", clientSecret, privateKey }
          : { mode: "asymmetric", privateKey },
      // A sandbox in a container has another machine's address; whoever wrote the file chose it.
      [allowInsecureHttp]: true,
    });
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(`sandbox.json cannot be used: ${error.message}`);
    throw error;
  }
}
