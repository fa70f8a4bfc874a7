/** Action of `titian partner notify`. */
import { isHttpUrl, probePartner } from "@titian/server/admin";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { findProviderKey, partnerOf, withCore } from "../with-core.ts";
import { adviseOn, formatProbe } from "./probe-report.ts";

export interface ProbeFlags {
  readonly service: string;
  readonly url?: string;
  readonly json?: true;
}

export async function probe(partnerId: string, { service, url, json }: ProbeFlags): Promise<ExitCode> {
  if (url !== undefined && !isHttpUrl(url)) {
    throw usageError(`--url ${url} is not an http or https URL without credentials or fragment.`);
  }
  const { providerKey } = await findProviderKey();
  const result = await withCore(async (core) => {
    const endpoint = core.reference.endpoints().get(partnerOf(core, partnerId).key);
    const address = url ?? endpoint?.address;
    if (endpoint === undefined || address === undefined) {
      const register = `titian partner change ${partnerId} --notification-address <url>`;
      throw new CliError(`${partnerId} has no notification address. Register one (${register}), or give --url.`);
    }
    if (endpoint.isSecretUnreadable && endpoint.signing === "symmetric") {
      const hasMasterKey = core.secrets.sealingKeys.length > 0;
      const advice = hasMasterKey
        ? `titian partner secret add ${partnerId}`
        : "set TITIAN_MASTER_KEY, as the service has it";
      throw new CliError(`A client secret of ${partnerId} cannot be decrypted: ${advice}.`);
    }
    note(`Sending a test notification ${service} to ${partnerId}`);
    return probePartner(core, { endpoint: { ...endpoint, address }, service: Number(service), providerKey });
  });
  const accepted = result.cause === undefined;
  if (json) print(formatJson({ accepted, ...result, advice: adviseOn(result) ?? null }));
  else print(formatProbe(result));
  return accepted ? exitCodes.done : exitCodes.failed;
}
