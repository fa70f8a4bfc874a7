/**
 * Mistakes of systems that verify our signature, each as the signature that such a system takes for right. A test notification
 * that is signed so finds the one that has it (docs/reference/notifications.md#test-notification).
 */
import { createHmac, hash } from "node:crypto";
import { hashBody, operationByCode, signHmac } from "@titian/contract";
import type { OtherSignature, SignedParts } from "../sign-notification.ts";
import { bodyMistakes } from "./body-mistakes.ts";

export interface VerifierMistake extends Pick<OtherSignature, "text" | "sign" | "spell" | "sendAs"> {
  readonly name: string;
  /** Page that shows how it comes about. */
  readonly source: string;
  /** Completes "The receiver". */
  readonly does: string;
  /** Completes "it". */
  readonly correctly: string;
  /** The whole sentence. */
  readonly translations: { readonly id: string };
  /** Absent: in both modes. */
  readonly mode?: "symmetric" | "asymmetric";
  /** Parts that it puts into the text instead. */
  readonly parts?: (right: SignedParts, body: Uint8Array, service: number) => Partial<SignedParts>;
}

const hashText = (text: string) => hashBody(Buffer.from(text));
const rawBytes = "must hash the raw bytes of the body that it received";
const wholePath = "must verify the path as it was sent, with its query, before any framework or proxy has changed it";
const headerText = "must put the text of X-TIMESTAMP there as it stands";
const rawBytesInIndonesian = "hash harus dari byte mentah body yang diterima";
const wholePathInIndonesian = "harus path seperti yang dikirim, dengan query, sebelum diubah framework atau proxy";
const headerTextInIndonesian = "teks X-TIMESTAMP harus dipakai apa adanya";
const express = "https://expressjs.com/en/api.html#req";

const hashMistakes: readonly VerifierMistake[] = [
  {
    name: "upperCaseHash",
    source: "https://www.php.net/manual/en/function.hash.php",
    does: "writes the hash of the body in upper-case hex where it verifies the signature",
    correctly: "must write it in lower-case hex, as the standard does",
    translations: {
      id: "Penerima menulis hash dari body dalam hex huruf besar saat memverifikasi tanda tangan: harus hex huruf kecil, seperti di standar.",
    },
    parts: ({ bodyHash }) => ({ bodyHash: bodyHash.toUpperCase() }),
  },
  {
    name: "base64Hash",
    source: "https://nodejs.org/api/crypto.html#hashdigestencoding",
    does: "writes the hash of the body in Base64",
    correctly: "must write it in lower-case hex",
    translations: { id: "Penerima menulis hash dari body dalam Base64: harus hex huruf kecil." },
    parts: ({ bodyHash }) => ({ bodyHash: Buffer.from(bodyHash, "hex").toString("base64") }),
  },
  {
    name: "hashOfOtherDigest",
    source: "https://nodejs.org/api/crypto.html#cryptocreatehashalgorithm-options",
    does: "hashes the body with SHA-512",
    correctly: "must hash it with SHA-256",
    translations: { id: "Penerima membuat hash dari body dengan SHA-512: harus SHA-256." },
    parts: (_, body) => ({ bodyHash: hash("sha512", body) }),
  },
  {
    name: "bodyItself",
    source: "https://expressjs.com/en/resources/middleware/body-parser.html#verify",
    does: "verifies the signature over the body itself",
    correctly: "must put the hash of the body into the text, in lower-case hex",
    translations: {
      id: "Penerima memverifikasi tanda tangan atas body itu sendiri: hash dari body, dalam hex huruf kecil, harus ada di dalam teks.",
    },
    parts: (_, body) => ({ bodyHash: Buffer.from(body).toString("utf8") }),
  },
  {
    name: "hashOfNothing",
    source: "https://expressjs.com/en/resources/middleware/body-parser.html#verify",
    does: "hashes an empty body: something before it has read the stream",
    correctly: rawBytes,
    translations: {
      id: `Penerima membuat hash dari body kosong, karena sesuatu di depannya sudah membaca stream: ${rawBytesInIndonesian}.`,
    },
    parts: () => ({ bodyHash: hashText("") }),
  },
  {
    name: "hashOfEmptyObject",
    source: `${express}.body`,
    does: "hashes {}: its framework has not parsed the body",
    correctly: rawBytes,
    translations: {
      id: `Penerima membuat hash dari {}, karena framework-nya tidak mem-parse body: ${rawBytesInIndonesian}.`,
    },
    parts: () => ({ bodyHash: hashText("{}") }),
  },
  ...bodyMistakes.map(
    ({ name, source, does, doesInIndonesian, write }): VerifierMistake => ({
      name,
      source,
      does,
      correctly: rawBytes,
      translations: { id: `Penerima ${doesInIndonesian}: ${rawBytesInIndonesian}.` },
      parts: (_, body, service) => ({
        bodyHash: hashText(write(JSON.parse(Buffer.from(body).toString("utf8")), operationByCode(service)?.request)),
      }),
    }),
  ),
];

const pathMistakes: readonly VerifierMistake[] = [
  {
    name: "pathWithoutQuery",
    source: `${express}.path`,
    does: "verifies the path without its query",
    correctly: wholePath,
    translations: { id: `Penerima memverifikasi path tanpa query: ${wholePathInIndonesian}.` },
    parts: ({ path }) => ({ path: path.replace(/\?.*/, "") }),
  },
  {
    name: "pathWithoutSlash",
    source: "https://laravel.com/docs/12.x/requests#retrieving-the-request-path",
    does: "verifies the path without the slash before it",
    correctly: wholePath,
    translations: { id: `Penerima memverifikasi path tanpa garis miring di depannya: ${wholePathInIndonesian}.` },
    parts: ({ path }) => ({ path: path.slice(1) }),
  },
  {
    name: "pathWithSlashBehind",
    source: "https://docs.djangoproject.com/en/5.2/ref/settings/#append-slash",
    does: "verifies the path with a slash behind it",
    correctly: wholePath,
    translations: { id: `Penerima memverifikasi path dengan garis miring di belakangnya: ${wholePathInIndonesian}.` },
    parts: ({ path }) => ({ path: path.replace(/(?=\?|$)/, "/") }),
  },
  {
    name: "pathWithoutVersion",
    source: `${express}.baseUrl`,
    does: "verifies the path without its version, as a router that is mounted behind it sees it",
    correctly: wholePath,
    translations: {
      id: `Penerima memverifikasi path tanpa versi, seperti yang dilihat router yang dipasang di belakangnya: ${wholePathInIndonesian}.`,
    },
    parts: ({ path }) => ({ path: path.replace(/\/v\d+(?:\.\d+)?(?=\/)/, "") }),
  },
];

const textMistakes: readonly VerifierMistake[] = [
  {
    name: "tokenLeftOut",
    source: "https://apidevportal.aspi-indonesia.or.id/api-services/keamanan",
    does: "leaves the access token out of the text",
    correctly: "must put the token that it issued between path and hash (mode 1)",
    translations: {
      id: "Penerima tidak memasukkan access token ke dalam teks: token yang diterbitkannya harus ada di antara path dan hash (mode 1).",
    },
    mode: "symmetric",
    parts: () => ({ accessToken: undefined }),
  },
  {
    name: "tokenWithBearer",
    source: "https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Authorization",
    does: "puts the whole Authorization header into the text, with Bearer",
    correctly: "must put the token alone there (mode 1)",
    translations: {
      id: "Penerima memasukkan seluruh header Authorization ke dalam teks, dengan Bearer: hanya token yang harus ada di sana (mode 1).",
    },
    mode: "symmetric",
    parts: ({ accessToken = "" }) => ({ accessToken: `Bearer ${accessToken}` }),
  },
  {
    name: "emptyToken",
    source: "https://apidevportal.aspi-indonesia.or.id/api-services/keamanan",
    does: "puts an empty access token into the text, with its colon",
    correctly: "must leave the token and its colon out (mode 2)",
    translations: {
      id: "Penerima memasukkan access token kosong ke dalam teks, dengan titik duanya: token dan titik duanya harus dihilangkan (mode 2).",
    },
    mode: "asymmetric",
    parts: () => ({ accessToken: "" }),
  },
  {
    name: "lineBreakBehind",
    source: "https://pubs.opengroup.org/onlinepubs/9799919799/utilities/echo.html",
    does: "verifies the text with a line break behind it",
    correctly: "must verify the text alone",
    translations: { id: "Penerima memverifikasi teks dengan baris baru di belakangnya: harus teks itu saja." },
    text: (right) => `${right}\n`,
  },
  {
    name: "timeInUtc",
    source: "https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/Date/toISOString",
    does: "writes the time anew in UTC, with milliseconds and Z",
    correctly: headerText,
    translations: { id: `Penerima menulis ulang waktu dalam UTC, dengan milidetik dan Z: ${headerTextInIndonesian}.` },
    parts: ({ timestamp }) => ({ timestamp: new Date(timestamp).toISOString() }),
  },
  {
    name: "timeWithOffsetOfUtc",
    source: "https://www.php.net/manual/en/class.datetimeinterface.php#datetimeinterface.constants.atom",
    does: "writes the time anew in UTC, with +00:00",
    correctly: headerText,
    translations: { id: `Penerima menulis ulang waktu dalam UTC, dengan +00:00: ${headerTextInIndonesian}.` },
    parts: ({ timestamp }) => ({ timestamp: `${new Date(timestamp).toISOString().slice(0, 19)}+00:00` }),
  },
  {
    name: "timeWithoutColon",
    source: "https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/text/SimpleDateFormat.html",
    does: "writes the offset of the time anew, without its colon",
    correctly: headerText,
    translations: { id: `Penerima menulis ulang offset waktu tanpa titik dua: ${headerTextInIndonesian}.` },
    parts: ({ timestamp }) => ({ timestamp: timestamp.replace(/:(\d\d)$/, "$1") }),
  },
  {
    name: "offsetUnread",
    source: "https://docs.python.org/3/library/datetime.html#datetime.datetime.strptime",
    does: "reads X-TIMESTAMP without its offset and compares it with a clock of UTC",
    correctly: "must read the offset of the time, +07:00",
    translations: {
      id: "Penerima membaca X-TIMESTAMP tanpa offset dan membandingkannya dengan jam UTC: offset +07:00 harus dibaca.",
    },
    sendAs: (timestamp) => `${new Date(timestamp).toISOString().slice(0, 19)}+07:00`,
  },
];

const keyMistakes: readonly VerifierMistake[] = [
  {
    name: "hmacSha256",
    source: "https://nodejs.org/api/crypto.html#cryptocreatehmacalgorithm-key-options",
    does: "verifies HMAC-SHA256",
    correctly: "must verify HMAC-SHA512 (mode 1)",
    translations: { id: "Penerima memverifikasi HMAC-SHA256: harus HMAC-SHA512 (mode 1)." },
    mode: "symmetric",
    sign: (secret, text) => createHmac("sha256", secret).update(text).digest("base64"),
  },
  {
    name: "secretDecoded",
    source: "https://www.php.net/manual/en/function.base64-decode.php",
    does: "decodes the client secret as Base64 before it uses it as the key",
    correctly: "must take the characters of the client secret as the key",
    translations: {
      id: "Penerima mendekode client secret sebagai Base64 sebelum dipakai sebagai kunci: karakter client secret itulah kuncinya.",
    },
    mode: "symmetric",
    sign: (secret, text) => createHmac("sha512", Buffer.from(secret, "base64")).update(text).digest("base64"),
  },
  {
    name: "tokenAsKey",
    source: "https://apidevportal.aspi-indonesia.or.id/api-services/keamanan",
    does: "takes the access token for the key",
    correctly: "must take the client secret for the key",
    translations: { id: "Penerima memakai access token sebagai kunci: kuncinya harus client secret." },
    mode: "symmetric",
    sign: (_, text, { accessToken = "" }) => signHmac(accessToken, text),
  },
  {
    name: "signatureInHex",
    source: "https://nodejs.org/api/crypto.html#hmacdigestencoding",
    does: "takes the signature for hex",
    correctly: "must read it as Base64",
    translations: { id: "Penerima membaca tanda tangan sebagai hex: harus dibaca sebagai Base64." },
    spell: (signature) => Buffer.from(signature, "base64").toString("hex"),
  },
];

/** The signature that a receiver with this mistake takes for right. */
export function signatureOf({ parts, ...other }: VerifierMistake, body: Uint8Array, service: number): OtherSignature {
  return { ...other, ...(parts && { parts: (right) => parts(right, body, service) }) };
}

/** The likeliest first. */
export const verifierMistakes: readonly VerifierMistake[] = [
  ...hashMistakes,
  ...pathMistakes,
  ...textMistakes,
  ...keyMistakes,
];
