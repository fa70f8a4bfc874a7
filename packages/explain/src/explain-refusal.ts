/**
 * Explanation of a call that was rejected by the checks before its content (steps 1 to 12 of spec D2), and what to
 * change. Pure.
 */
import { formatTimestamp, hashBody, minify, stringToSign } from "@titian/contract";
import {
  createSecretFinder,
  findHeldSecret,
  hideSecrets,
  hideSecretsIn,
  type SecretFinder,
  secretsOf,
} from "./known-secrets.ts";
import { read, type Received } from "./received.ts";
import type { CallEvidence, Diagnosis, PartnerSecrets, Rejection, RefusalReport } from "./report.ts";
import { shown } from "./shown.ts";
import { diagnose, withSaying } from "./state.ts";
import { explainField } from "./steps/explain-field.ts";
import { explainHeader } from "./steps/explain-header.ts";
import { explainJson } from "./steps/explain-json.ts";
import { explainPartner } from "./steps/explain-partner.ts";
import { explainPath } from "./steps/explain-path.ts";
import { explainSignature, maskToken, type SignatureExplanation } from "./steps/explain-signature.ts";
import { compareClocks, explainTime } from "./steps/explain-time.ts";
import { explainCustomerToken, explainToken } from "./steps/explain-token.ts";

/** `known`: the partners whose keys may be tried; the caller's is among them if it is known at all. */
export function explainRefusal(
  evidence: CallEvidence,
  known: readonly PartnerSecrets[],
  finder = createSecretFinder(secretsOf(known)),
): RefusalReport {
  return withoutSecrets(explainOpenly(evidence, known), evidence, finder);
}

/** The report without the secrets that the call holds, and which part holds one. */
export function withoutSecrets(openReport: RefusalReport, evidence: CallEvidence, finder: SecretFinder): RefusalReport {
  const report = hideSecretsIn(openReport, evidence, finder);
  const held = findHeldSecret(evidence, finder);
  if (held === undefined) return report;
  const holder = hideSecrets(shown(held.part), finder);
  const { diagnosis } = report;
  const said =
    held.owner === undefined
      ? withSaying(diagnosis, "secret.privateKeyHeld", { holder })
      : withSaying(diagnosis, "secret.held", { holder, owner: held.owner });
  return { ...report, diagnosis: said };
}

/** With the secrets that the call holds: for who takes them out. */
export function explainOpenly(evidence: CallEvidence, known: readonly PartnerSecrets[]): RefusalReport {
  const received = read(evidence, known);
  const { partner } = received;
  // A secret of the partner's that does not open here is no mistake of the caller's.
  const isSignature = evidence.rejectedAt === 7 && partner !== undefined && evidence.rejection?.case === "unauthorized";
  const { diagnosis, differsAt } = isSignature
    ? explainSignature(received, partner, known)
    : unsigned(explainStep(received, known));
  const text = signedText(received);
  const clocks = compareClocks(received);
  const body = evidence.isBodyCut === true ? undefined : evidence.body;
  return {
    step: evidence.rejectedAt,
    ...(clocks && { ourClock: formatTimestamp(clocks.ourClock), clockDifferenceMs: clocks.differenceMs }),
    ...(clocks === undefined &&
      evidence.businessTime !== undefined && { ourClock: formatTimestamp(evidence.businessTime) }),
    ...(text !== undefined && { stringToSign: maskToken(text, received.token) }),
    ...(body && { bodyHash: hashBody(body), minifiedBodyHash: hashBody(minify(body)) }),
    diagnosis,
    ...(differsAt && { differsAt }),
  };
}

/** Stand-in for a report that could not be made. */
export function withoutExplanation({
  rejectedAt,
  responseCode,
}: Pick<CallEvidence, "rejectedAt" | "responseCode">): RefusalReport {
  return { step: rejectedAt, diagnosis: unexplained({ rejectedAt, responseCode }) };
}

const unsigned = (diagnosis: Diagnosis): SignatureExplanation => ({ diagnosis, differsAt: undefined });

function explainStep(received: Received, known: readonly PartnerSecrets[]): Diagnosis {
  const { evidence } = received;
  const { rejectedAt: step, rejection } = evidence;
  if (step === undefined || rejection === undefined) {
    return diagnose("unknown", "call", evidence.body === undefined ? "call.withoutBody" : "call.passes");
  }
  const { case: caseName, field, reason } = rejection;
  switch (step) {
    case 1:
      return explainPath(received);
    case 2:
      return diagnose("json", "body", "call.tooLarge");
    case 3:
      return explainHeader(received, field ?? "", caseName === "invalidMandatoryField");
    case 4:
      return caseName === "invalidCustomerToken"
        ? explainCustomerToken(received, known)
        : explainToken(received, known);
    case 5:
      // The length of CHANNEL-ID is judged once the partner is known.
      return field === undefined ? explainPartner(received, known, reason) : explainHeader(received, field, false);
    case 6:
      return explainTime(received);
    case 8:
    case 9:
      return explainLimit(received, rejection);
    case 10:
      return explainJson(received, reason);
    case 11:
    case 12:
      if (caseName === "customerTokenNotFound") return explainCustomerToken(received, known);
      if (field !== undefined) return explainField(received, field, caseName === "invalidMandatoryField");
      return unexplained(evidence);
    default:
      return unexplained(evidence);
  }
}

function explainLimit(
  { partner, partnerId, clientKey, operation, evidence }: Received,
  rejection: Rejection,
): Diagnosis {
  const caller = { partner: partner?.partnerId ?? shown(partnerId || clientKey) };
  switch (rejection.case) {
    case "featureNotAllowed":
      return diagnose("unknown", "service", "service.notAllowed", { ...caller, service: operation?.code ?? "" });
    case "tooManyRequests":
      return diagnose("unknown", "rate", "rate.exceeded", caller);
    case "serviceUnavailable":
      return diagnose("unknown", "service", "service.busy");
    default:
      return unexplained(evidence);
  }
}

function unexplained({ responseCode, rejectedAt }: Pick<CallEvidence, "rejectedAt" | "responseCode">): Diagnosis {
  return diagnose("unknown", "call", "call.unexplained", { responseCode, step: String(rejectedAt ?? "") });
}

/**
 * The text that we verify a signature of; undefined where the call does not have what belongs into it. Without a partner,
 * mode 1 is taken if there is a token.
 */
function signedText(received: Received): string | undefined {
  const { evidence, operation, kind, timestamp, clientKey, target, token, partner } = received;
  if (operation === undefined || timestamp === "") return undefined;
  if (kind === "token") return clientKey === "" ? undefined : stringToSign.token(clientKey, timestamp);
  if (evidence.body === undefined || evidence.isBodyCut === true) return undefined;
  const takesToken = partner === undefined ? token !== undefined : partner.signing === "symmetric";
  if (takesToken && token === undefined) return undefined;
  const accessToken = takesToken ? token : undefined;
  return stringToSign.transaction({
    method: evidence.method,
    path: target,
    accessToken,
    bodyHash: hashBody(evidence.body),
    timestamp,
  });
}
