/** A request on its way to becoming bytes: every part of it may still be spoiled. */
import type { SandboxPartner } from "../support/black-box/sandbox-file.ts";
import { signTokenCall, signWithKey, signWithSecret, timestampOf } from "../support/black-box/signer.ts";

export interface Draft {
  method: string;
  target: string;
  protocol: string;
  /** Written in this order, as latin1. */
  headers: [name: string, value: string][];
  body: Buffer;
}

export interface Credentials {
  readonly partner: SandboxPartner;
  readonly token: string;
}

export interface DraftParts {
  readonly serviceCode: string;
  readonly target: string;
  readonly body: Buffer;
  /** The bytes that are signed, where they are not the body's. */
  readonly signedBody?: Buffer;
  readonly externalId: string;
  readonly timestamp?: string;
}

/** A request whose signature is right for what is given, whatever that is. */
export function signDraft({ partner, token }: Credentials, parts: DraftParts): Draft {
  const { target, body, signedBody = body, externalId, timestamp = timestampOf(Date.now()) } = parts;
  const draft: Draft = { method: "POST", target, protocol: "HTTP/1.1", headers: [], body };
  const set = (name: string, value: string) => draft.headers.push([name, value]);
  set("Host", "127.0.0.1");
  set("Content-Type", "application/json");
  set("X-TIMESTAMP", timestamp);
  if (parts.serviceCode === "73" || parts.serviceCode === "74") {
    set("X-CLIENT-KEY", partner.clientKey);
    set("X-SIGNATURE", signTokenCall(partner.privateKey, partner.clientKey, timestamp));
    return draft;
  }
  const toSign = { path: target, body: signedBody, timestamp };
  if (partner.signing === "symmetric") {
    set("Authorization", `Bearer ${token}`);
    set("X-SIGNATURE", signWithSecret(partner.clientSecret, token, toSign));
  } else {
    set("X-SIGNATURE", signWithKey(partner.privateKey, toSign));
  }
  set("X-PARTNER-ID", partner.partnerId);
  set("X-EXTERNAL-ID", externalId);
  set("CHANNEL-ID", partner.channelId);
  return draft;
}

export function headOf({ method, target, protocol, headers }: Draft): Buffer {
  const lines = [`${method} ${target} ${protocol}`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
}

/** The request as it should be written: its body announced by its length. */
export function bytesOf(draft: Draft): Buffer {
  const length: [string, string] = ["Content-Length", String(draft.body.length)];
  return Buffer.concat([headOf({ ...draft, headers: [...draft.headers, length] }), draft.body]);
}
