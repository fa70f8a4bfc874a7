/** Client certificates and TLS versions that partners may call with (spec D2 step 5, ADR 0082). */
import { X509Certificate } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import { type AddressList, unmapped } from "../connections/address-list.ts";
import { type RejectedCall, reject } from "../responses/rejected-call.ts";

export interface CallerTls {
  /** A partner without settings of its own costs a look at one member. */
  check(partner: PartnerCredentials, request: IncomingMessage): RejectedCall | undefined;
}

interface CallerTlsDeps {
  readonly trustedProxies: AddressList;
  /** Header in which they pass a client's certificate on; absent: none is believed. */
  readonly certificateHeader: string | undefined;
  /** True: the listener accepts TLS 1.2, which is a partner's exception. */
  readonly acceptsTls12: boolean;
  /** Called at the first call of a partner over TLS 1.2. */
  readonly onTls12: (partnerId: string) => void;
}

const notAllowed = (connection: "certificate" | "tls_version") =>
  reject(5, "unauthorized", { reason: "Connection not allowed", connection });
const certificateNotAllowed = notAllowed("certificate");
const versionNotAllowed = notAllowed("tls_version");

export function createCallerTls(deps: CallerTlsDeps): CallerTls {
  const { trustedProxies, acceptsTls12, onTls12 } = deps;
  const header = deps.certificateHeader?.toLowerCase();
  const told = new Set<string>();
  const certificateOf = (request: IncomingMessage): string | undefined => {
    const { socket } = request;
    if (header !== undefined && trustedProxies.has(unmapped(socket.remoteAddress ?? ""))) {
      return readPassedOn(request.headers[header]);
    }
    if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
    const certificate = socket.getPeerX509Certificate();
    return certificate && fingerprintOf(certificate);
  };
  return {
    check(partner, request) {
      const { partnerId, clientCertificates, tlsMin } = partner;
      if (clientCertificates !== undefined) {
        const certificate = certificateOf(request);
        if (certificate === undefined || !clientCertificates.includes(certificate)) return certificateNotAllowed;
      }
      if (!acceptsTls12 || !isTls12(request)) return undefined;
      if (tlsMin !== "1.2") return versionNotAllowed;
      if (!told.has(partnerId)) onTls12(partnerId);
      told.add(partnerId);
      return undefined;
    },
  };
}

function isTls12({ socket }: IncomingMessage): boolean {
  return socket instanceof TLSSocket && socket.getProtocol() !== "TLSv1.3";
}

/** One certificate alone: a header that a caller sent, too, stands before the proxy's where a proxy only adds its own. */
const onePem = /^-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*$/;

/** The fingerprint of a certificate in PEM with per cent signs, as nginx writes `$ssl_client_escaped_cert`. */
function readPassedOn(value: string | readonly string[] | undefined): string | undefined {
  if (typeof value !== "string") return undefined;
  try {
    const pem = decodeURIComponent(value);
    return onePem.test(pem) ? fingerprintOf(new X509Certificate(pem)) : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 of its DER in hexadecimal digits, as partners' settings have it. */
function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(":", "").toLowerCase();
}
