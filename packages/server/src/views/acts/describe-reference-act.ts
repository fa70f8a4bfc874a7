/** An operator's act on reference data in words, in both languages: before and after of what it changes, keys by their fingerprints. */
import { createHash } from "node:crypto";
import { formatTimestamp } from "@titian/contract";
import { findAccountsById } from "../../store/reads/accounts.ts";
import type { ActRow } from "../../store/reads/acts.ts";
import type { MerchantSettings, PartnerSettings } from "../../store/reference/reference.ts";
import type { QueryDeps } from "../query-deps.ts";
import { fingerprintOf } from "../partners/credentials.ts";
import { type AboutPeople, accountPart, type Sentence } from "./sentence.ts";

type ReferenceKind =
  | "partner"
  | "partnerKey"
  | "partnerSuspension"
  | "partnerResumption"
  | "partnerRetirement"
  | "merchant"
  | "merchantSuspension"
  | "merchantResumption"
  | "grantRevocation";

export async function describeReferenceAct(
  deps: Pick<QueryDeps, "pool">,
  act: ActRow & { readonly kind: ReferenceKind },
): Promise<AboutPeople> {
  const { kind, target, reference, before, after } = act;
  switch (kind) {
    case "partner":
      return isEmpty(before)
        ? say("Add partner", "Menambah partner", target, [...partnerTerms(after), ...credentialsOf(after)])
        : say("Change partner", "Mengubah partner", target, changes(partnerTerms(before), partnerTerms(after)));
    case "partnerKey":
      return say("Change the keys of partner", "Mengubah kunci partner", target, [
        ...credentialsOf(after),
        ...endsOf(after),
      ]);
    case "partnerSuspension":
      return plain(
        `Suspend partner ${target} at once: its calls are rejected`,
        `Menangguhkan partner ${target} seketika: panggilannya ditolak`,
      );
    case "partnerResumption":
      return plain(`Let partner ${target} call again`, `Mengizinkan partner ${target} memanggil kembali`);
    case "partnerRetirement":
      return plain(
        `Retire partner ${target} for good: its calls are rejected and its keys end; its records stay`,
        `Mengakhiri partner ${target} untuk selamanya: panggilannya ditolak dan kuncinya berakhir; catatannya tetap`,
      );
    case "merchant": {
      const [was, becomes] = await Promise.all([merchantTerms(deps, before), merchantTerms(deps, after)]);
      const name = `${reference} (${target})`;
      const sentence = isEmpty(before)
        ? say("Add merchant", "Menambah merchant", name, becomes)
        : say("Change merchant", "Mengubah merchant", name, changes(was, becomes));
      const accounts = [...was, ...becomes].filter(([en, , value]) => en.endsWith("account") && value !== "");
      return { ...sentence, personalParts: accounts.map(([, , value]) => accountPart(value)) };
    }
    case "merchantSuspension":
      return plain(
        `Suspend merchant ${reference} (${target}) at once: it gets no new payment`,
        `Menangguhkan merchant ${reference} (${target}) seketika: tidak menerima pembayaran baru`,
      );
    case "merchantResumption":
      return plain(
        `Let merchant ${reference} (${target}) get payments again`,
        `Mengizinkan merchant ${reference} (${target}) menerima pembayaran kembali`,
      );
    case "grantRevocation": {
      const [partner = ""] = reference.split(" ");
      const sentence = plain(
        `Revoke at once the consent to partner ${partner} for account ${target}: its tokens end`,
        `Mencabut seketika persetujuan kepada partner ${partner} untuk rekening ${target}: tokennya berakhir`,
      );
      return { ...sentence, personalParts: [accountPart(target)] };
    }
  }
}

/** A term by its names, with its value as a text; "": it has none. */
type Term = readonly [en: string, id: string, value: string];
type Values = Readonly<Record<string, unknown>>;

const isEmpty = (values: Values) => Object.keys(values).length === 0;
const plain = (en: string, id: string): Sentence => ({ en, id });

function say(en: string, id: string, target: string, terms: readonly Term[]): Sentence {
  const stated = terms.filter(([, , value]) => value !== "");
  return {
    en: `${en} ${target}: ${stated.map(([name, , value]) => `${name} ${value}`).join("; ")}`,
    id: `${id} ${target}: ${stated.map(([, name, value]) => `${name} ${value}`).join("; ")}`,
  };
}

/** Terms that differ, each with what it was. Both lists have the same terms in one order. */
function changes(before: readonly Term[], after: readonly Term[]): readonly Term[] {
  return after.flatMap(([en, id, value], place): readonly Term[] => {
    const was = before[place]?.[2] ?? "";
    return was === value ? [] : [[en, id, `${value || "-"} (${was || "-"})`]];
  });
}

function partnerTerms({ name, signing, channelId, clientKey, settings }: Values): readonly Term[] {
  const set = settings as PartnerSettings;
  const { rateLimit, channelIdLengthMax, timestampWindowSeconds, notificationSignedPath } = set;
  return [
    // In quotes, which it cannot end: a name is not read as another term.
    ["name", "nama", JSON.stringify(name)],
    ["client key", "kunci klien", typeof clientKey === "string" ? clientKey : ""],
    ["signing", "penandatanganan", String(signing)],
    ["channel", "kanal", String(channelId)],
    ["services", "layanan", set.services.join(", ")],
    ["addresses", "alamat", set.addresses.join(", ") || "*"],
    ["calls a second", "panggilan per detik", rateLimit ? `${rateLimit.perSecond}, ${rateLimit.burst}` : "*"],
    ["length of CHANNEL-ID", "panjang CHANNEL-ID", textOf(channelIdLengthMax)],
    ["seconds of X-TIMESTAMP", "detik X-TIMESTAMP", textOf(timestampWindowSeconds)],
    ["minified signature", "tanda tangan ringkas", textOf(set.acceptsMinifiedSignature)],
    ["notifications to", "notifikasi ke", textOf(set.notificationAddress && showAddress(set.notificationAddress))],
    ["signing of notifications", "penandatanganan notifikasi", set.notificationSigning],
    ["networks of notifications", "jaringan notifikasi", set.notificationNetworks?.join(", ") ?? ""],
    ["oldest TLS of notifications", "TLS terlama untuk notifikasi", textOf(set.notificationTlsMin)],
    ["client certificates", "sertifikat klien", set.clientCertificates?.join(", ") ?? ""],
    ["oldest TLS of calls", "TLS terlama untuk panggilan", textOf(set.tlsMin)],
    ["cells", "sel", set.cells?.map(({ cell }) => cell).join(", ") ?? ""],
    ["signed path", "path yang ditandatangani", textOf(notificationSignedPath)],
  ];
}

async function merchantTerms({ pool }: Pick<QueryDeps, "pool">, terms: Values): Promise<readonly Term[]> {
  if (isEmpty(terms)) return [];
  const { name, status, settlementAccount, payerAccount } = terms;
  const ids = [settlementAccount, payerAccount].filter((one) => typeof one === "string");
  const accounts = await findAccountsById(pool, ids);
  const account = (id: unknown) => accounts.get(String(id))?.accountNo ?? "";
  const { defaultHoldAmount, customerTokenRequired, holdSeconds, refundDays } = terms["settings"] as MerchantSettings;
  return [
    ["name", "nama", String(name)],
    ["status", "status", String(status)],
    ["settlement account", "rekening penampungan", account(settlementAccount)],
    ["payer account", "rekening pembayar", account(payerAccount)],
    ["default hold in minor units", "penahanan baku dalam satuan terkecil", textOf(defaultHoldAmount)],
    ["customer token", "token nasabah", textOf(customerTokenRequired)],
    ["seconds of a hold", "detik penahanan", textOf(holdSeconds)],
    ["days of refunds", "hari pengembalian dana", textOf(refundDays)],
  ];
}

function credentialsOf({ credentials }: Values): readonly Term[] {
  const given = credentials as readonly { readonly id: string; readonly kind: string; readonly value: string }[];
  return given.map(({ id, kind, value }) =>
    kind === "secret"
      ? ["new client secret", "rahasia klien baru", id]
      : ["new public key, SHA-256", "kunci publik baru, SHA-256", fingerprintOf(value)],
  );
}

function endsOf({ end }: Values): readonly Term[] {
  const ended = end as readonly { readonly id: string; readonly expiresAt?: string }[];
  return ended.map(({ id, expiresAt }) =>
    expiresAt === undefined
      ? ["ends at once:", "berakhir seketika:", id]
      : [`ends ${timeText(expiresAt)}:`, `berakhir ${timeText(expiresAt)}:`, id],
  );
}

const timeText = (text: string) => formatTimestamp(Date.parse(text));
const textOf = (value: string | number | boolean | undefined) => (value === undefined ? "" : String(value));

/** Without the values of its query, which may be secrets; a change of one shows in the hash. */
function showAddress(address: string): string {
  const [base = "", ...query] = address.split("?");
  if (query.length === 0) return base;
  return `${base}?… (SHA-256 ${createHash("sha256").update(address).digest("hex").slice(0, 16)})`;
}
