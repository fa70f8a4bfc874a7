/** A call's headers by name, and what of them the signature covers. */
import { bearerToken, type CallKind, headerNames, type OperationRow, operations } from "@titian/contract";
import type { CallEvidence, PartnerSecrets } from "./report.ts";

export interface Received {
  readonly evidence: CallEvidence;
  /** Undefined: an unknown path. */
  readonly operation: OperationRow | undefined;
  readonly kind: CallKind;
  /** By name in lower case; of a repeated header the values joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Names as received. */
  readonly names: readonly string[];
  /** Path and query; slashes at its start count as one. */
  readonly target: string;
  readonly timestamp: string;
  readonly signature: string;
  readonly clientKey: string;
  readonly partnerId: string;
  /** Token of `Authorization`, without `Bearer`. */
  readonly token: string | undefined;
  readonly customerToken: string | undefined;
  /** Named by X-PARTNER-ID or X-CLIENT-KEY. */
  readonly partner: PartnerSecrets | undefined;
}

export function read(evidence: CallEvidence, known: readonly PartnerSecrets[]): Received {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>;
  const names: string[] = [];
  for (let i = 0; i + 1 < evidence.rawHeaders.length; i += 2) {
    const [name = "", value = ""] = evidence.rawHeaders.slice(i, i + 2);
    names.push(name);
    const lower = name.toLowerCase();
    headers[lower] = headers[lower] === undefined ? value : `${headers[lower]}, ${value}`;
  }
  const header = (name: string) => headers[name.toLowerCase()] ?? "";
  const operation = evidence.operation && operations[evidence.operation];
  const kind = operation?.kind === "token" ? "token" : "transaction";
  const clientKey = header(headerNames.clientKey);
  const partnerId = header(headerNames.partnerId);
  return {
    evidence,
    operation,
    kind,
    headers,
    names,
    target: evidence.target.replace(/^\/+/, "/"),
    timestamp: header(headerNames.timestamp),
    signature: header(headerNames.signature),
    clientKey,
    partnerId,
    token: bearerToken(headers.authorization),
    customerToken: bearerToken(headers["authorization-customer"]),
    partner: known.find((partner) =>
      kind === "token" ? partner.clientKey === clientKey : partner.partnerId === partnerId,
    ),
  };
}
