/** A partner's credentials: client secrets and public keys, added and ended by acts. Nobody is shown a secret: its proposer has given it. */
import { integer, object, optional, string } from "@titian/contract";
import {
  type ActWords,
  type AdminResult,
  type NewCredentials,
  type PartnerRow,
  retireCredential,
  rotateCredentials,
  showPartner,
} from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { controlErrorOf, unknownPartner } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { credentialsView, type PartnerCallsDeps } from "./partner-calls.ts";

const overlap = {
  overlapSeconds: optional(
    integer({ description: "for how many seconds the one before it stays good, at most 365 days; 0: not at all" }),
  ),
};

export const credentialCalls = [
  defineCall({
    name: "partner add-secret",
    route: "POST /partners/{partnerId}/secrets",
    role: "operator",
    does: "Adds a client secret that the caller has made, once another operator has approved that: it is sealed here, and no answer and no act shows it. The one before it stays good for 7 days, unless overlapSeconds says otherwise.",
    body: object({
      secret: string({ description: "a text of 16 to 200 visible ASCII characters" }),
      ...overlap,
      ...actWords,
    }),
    answer: credentialsView,
    run: ({ params: { partnerId }, body }, deps: PartnerCallsDeps) => rotate(deps, partnerId, body),
  }),
  defineCall({
    name: "partner retire-secret",
    route: "POST /partners/{partnerId}/secrets/{credentialId}/retire",
    role: "operator",
    does: "Ends one client secret of another than the last, once another operator has approved that.",
    body: object(actWords),
    answer: credentialsView,
    run: ({ params, body }, deps: PartnerCallsDeps) => retire(deps, params, { kind: "secret", ...body }),
  }),
  defineCall({
    name: "partner add-key",
    route: "POST /partners/{partnerId}/keys",
    role: "operator",
    does: "Adds a public key, once another operator has approved that. The one before it stays good for 7 days, unless overlapSeconds says otherwise.",
    body: object({
      publicKey: string({ description: "an RSA public key in PEM" }),
      ...overlap,
      ...actWords,
    }),
    answer: credentialsView,
    run: ({ params: { partnerId }, body }, deps: PartnerCallsDeps) => rotate(deps, partnerId, body),
  }),
  defineCall({
    name: "partner retire-key",
    route: "POST /partners/{partnerId}/keys/{credentialId}/retire",
    role: "operator",
    does: "Ends one public key of another than the last, once another operator has approved that.",
    body: object(actWords),
    answer: credentialsView,
    run: ({ params, body }, deps: PartnerCallsDeps) => retire(deps, params, { kind: "publicKey", ...body }),
  }),
] as const;

type Rotated = Omit<NewCredentials, "overlapMs"> & { readonly overlapSeconds?: number };

async function rotate(deps: PartnerCallsDeps, partnerId: string, { overlapSeconds, ...given }: Rotated) {
  const overlapMs = overlapSeconds === undefined ? {} : { overlapMs: overlapSeconds * 1_000 };
  return showChanged(deps, partnerId, await rotateCredentials(deps, partnerId, { ...given, ...overlapMs }));
}

interface CredentialParams {
  readonly partnerId: string;
  readonly credentialId: string;
}

async function retire(
  deps: PartnerCallsDeps,
  { partnerId, credentialId: id }: CredentialParams,
  of: ActWords & { readonly kind: "secret" | "publicKey" },
) {
  return showChanged(deps, partnerId, await retireCredential(deps, partnerId, { ...of, id }));
}

/** Names of the fields of the commands, as these calls have them. */
const fields: Readonly<Record<string, string>> = {
  secrets: "secret",
  publicKeys: "publicKey",
  overlap: "overlapSeconds",
  id: "credentialId",
};

async function showChanged(deps: PartnerCallsDeps, partnerId: string, result: AdminResult<PartnerRow>) {
  if (result.ok) return show(deps, partnerId);
  const { field = "", ...rejection } = result.rejection;
  const named = fields[field] ?? field;
  throw controlErrorOf(named === "" ? rejection : { ...rejection, field: named });
}

async function show({ queries }: PartnerCallsDeps, partnerId: string) {
  const partner = await showPartner(queries, partnerId);
  if (!partner) throw unknownPartner(partnerId);
  return { partnerId, credentials: partner.credentials };
}
