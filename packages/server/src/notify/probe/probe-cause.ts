/** The likely reason why a notification was not accepted, from the reply or from the error of Node.js and undici. */
import { ForbiddenAddress } from "../address-guard.ts";
import type { PostOutcome } from "../post-notification.ts";

export type ProbeCause =
  | "forbiddenAddress"
  | "unresolvedName"
  | "connectionRefused"
  | "connectTimeout"
  | "tls"
  | "timeout"
  | "connectionClosed"
  | "replyTooLarge"
  | "noHttp"
  | "noToken"
  | "unauthorized"
  | "otherPartner"
  | "notFound"
  | "redirect"
  | "noEnvelope"
  | "rejected"
  | "other";

export function causeOf({ result, error, headers }: PostOutcome): ProbeCause {
  if (error === undefined) return causeOfReply(result);
  const cause = causeOfError(error);
  return cause === "other" && headers === undefined ? "noToken" : cause;
}

/** The reason of the standard, in brackets behind the message: the receiver knows another partner id than ours. */
const unknownClient = /\[Unknown client\]/i;

function causeOfReply({ httpStatus = 0, responseCode, reply = "" }: PostOutcome["result"]): ProbeCause {
  if (httpStatus >= 300 && httpStatus < 400) return "redirect";
  if (httpStatus === 401 || responseCode?.startsWith("401")) {
    return unknownClient.test(reply) ? "otherPartner" : "unauthorized";
  }
  // One with a service code comes from a receiver that has the path.
  if (httpStatus === 404 && (responseCode === undefined || responseCode.startsWith("40400"))) return "notFound";
  return responseCode === undefined ? "noEnvelope" : "rejected";
}

const byCode: Readonly<Record<string, ProbeCause>> = {
  ECONNREFUSED: "connectionRefused",
  EHOSTUNREACH: "connectTimeout",
  ENETUNREACH: "connectTimeout",
  ETIMEDOUT: "connectTimeout",
  UND_ERR_CONNECT_TIMEOUT: "connectTimeout",
  UND_ERR_HEADERS_TIMEOUT: "timeout",
  UND_ERR_BODY_TIMEOUT: "timeout",
  ECONNRESET: "connectionClosed",
  EPIPE: "connectionClosed",
  UND_ERR_SOCKET: "connectionClosed",
  UND_ERR_RES_EXCEEDED_MAX_SIZE: "replyTooLarge",
  EPROTO: "tls",
};

const tlsCodes = /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/;

function causeOfError(error: unknown): ProbeCause {
  if (error instanceof ForbiddenAddress) return "forbiddenAddress";
  if (!(error instanceof Error)) return "other";
  if (error.name === "TimeoutError") return "timeout";
  const code = "code" in error ? String(error.code) : "";
  if ("syscall" in error && /^(?:query|getaddrinfo)/.test(String(error.syscall))) return "unresolvedName";
  if (tlsCodes.test(code)) return "tls";
  return code.startsWith("HPE_") ? "noHttp" : (byCode[code] ?? "other");
}
