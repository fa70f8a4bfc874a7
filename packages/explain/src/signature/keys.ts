/** Keys that callers sign with instead of their client secret. */
import type { Received } from "../received.ts";
import type { PartnerSecrets } from "../report.ts";
import { distinct, type Option, variation } from "./variation.ts";

/** Partners whose keys are tried besides the caller's. */
const otherPartnersMax = 30;

export function hmacKeys(received: Received, partner: PartnerSecrets): readonly Option<Buffer>[] {
  const options = partner.secrets.flatMap((secret) => [
    own(Buffer.from(secret), undefined),
    ...["\n", "\r\n", "\r"].map((end) => own(Buffer.from(secret + end), "secret.lineBreak")),
    ...[`${secret} `, ` ${secret}`].map((text) => own(Buffer.from(text), "secret.spaces")),
    ...decodings(secret),
    own(Buffer.from(Buffer.from(secret).toString("base64")), "secret.encoded"),
    own(Buffer.from(Buffer.from(secret).toString("hex")), "secret.encoded"),
    ...[`"${secret}"`, `'${secret}'`].map((text) => own(Buffer.from(text), "secret.quoted")),
    ...[secret.toLowerCase(), secret.toUpperCase()].map((text) => own(Buffer.from(text), "secret.letterCase")),
  ]);
  const { clientKey, partnerId } = partner;
  const names: readonly Option<Buffer>[] = [
    own(Buffer.from(clientKey), "secret.clientKey"),
    own(Buffer.from(partnerId), "secret.partnerId"),
    ...(received.token === undefined ? [] : [own(Buffer.from(received.token), "secret.token")]),
    ...partner.publicKeys.map((pem) => own(Buffer.from(pem), "secret.publicKey")),
    own(Buffer.alloc(0), "secret.empty"),
  ];
  return distinctBytes([...options, ...names]);
}

export function keysOfOthers(partner: PartnerSecrets, known: readonly PartnerSecrets[]): readonly Option<Buffer>[] {
  return othersOf(partner, known).flatMap(({ partnerId, secrets }) =>
    secrets.map((secret) => ({
      value: Buffer.from(secret),
      by: [variation("secret", "secret.otherPartners", { partner: partnerId })],
    })),
  );
}

export function othersOf(partner: PartnerSecrets, known: readonly PartnerSecrets[]): readonly PartnerSecrets[] {
  return known.filter(({ key }) => key !== partner.key).slice(0, otherPartnersMax);
}

function own(value: Buffer, id: Parameters<typeof variation>[1] | undefined): Option<Buffer> {
  return { value, by: id === undefined ? [] : [variation("secret", id)] };
}

function decodings(secret: string): readonly Option<Buffer>[] {
  const found: Option<Buffer>[] = [];
  if (/^(?:[0-9a-fA-F]{2})+$/.test(secret)) found.push(own(Buffer.from(secret, "hex"), "secret.hexDecoded"));
  if (/^[A-Za-z0-9+/_-]+={0,2}$/.test(secret)) found.push(own(Buffer.from(secret, "base64"), "secret.base64Decoded"));
  return found;
}

function distinctBytes(options: readonly Option<Buffer>[]): readonly Option<Buffer>[] {
  const texts = distinct(options.map(({ value, by }) => ({ value: value.toString("latin1"), by })));
  return texts.map(({ value, by }) => ({ value: Buffer.from(value, "latin1"), by }));
}
