/** Mistakes in the hash of the body. */
import type { Sentence } from "./sentence.ts";

export const hashSentences = {
  "bodyHash.minified": {
    en: "You signed the hash of the minified body and sent it with white space; sign the bytes that you send.",
    id: "Anda menandatangani hash dari body yang di-minify tetapi mengirimnya dengan spasi; tandatangani byte yang dikirim.",
  },
  "bodyHash.allWhiteSpaceGone": {
    en: "You removed all white space before hashing, also inside texts.",
    id: "Anda menghapus semua spasi sebelum membuat hash, termasuk di dalam teks.",
  },
  "bodyHash.writtenAnew": {
    en: "You hashed the body parsed and written again, which is not the text that you sent.",
    id: "Anda membuat hash dari body yang di-parse lalu ditulis ulang, bukan teks yang dikirim.",
  },
  "bodyHash.escapes": {
    en: "You hashed the body with other escapes (\\/ or \\u) than you sent it with.",
    id: "Anda membuat hash dari body dengan escape (\\/ atau \\u) yang berbeda dari yang dikirim.",
  },
  "bodyHash.spaced": {
    en: "You hashed the body with spaces behind colons and commas, as Python writes it, and sent it without them.",
    id: "Anda membuat hash dari body dengan spasi setelah titik dua dan koma, seperti tulisan Python, tetapi mengirimnya tanpa spasi itu.",
  },
  "bodyHash.pretty": {
    en: "You hashed the body with indentation and sent it otherwise.",
    id: "Anda membuat hash dari body dengan indentasi, tetapi mengirimnya dengan cara lain.",
  },
  "bodyHash.keysSorted": {
    en: "You hashed the body with its keys sorted and sent them in another order.",
    id: "Anda membuat hash dari body dengan key yang diurutkan, tetapi mengirimnya dengan urutan lain.",
  },
  "bodyHash.otherOrder": {
    en: "You hashed the body with its members in another order than you sent them.",
    id: "Anda membuat hash dari body dengan urutan member yang berbeda dari yang dikirim.",
  },
  "bodyHash.memberLeftOut": {
    en: "You hashed the body without {member}, which you sent: hash it once it is complete.",
    id: "Anda membuat hash dari body tanpa {member}, yang ikut dikirim: buat hash setelah body lengkap.",
  },
  "bodyHash.lineBreak": {
    en: "You hashed the body with a line break at its end that you did not send.",
    id: "Anda membuat hash dari body dengan ganti baris di akhir yang tidak dikirim.",
  },
  "bodyHash.trimmed": {
    en: "You hashed the body without the white space around it that you sent.",
    id: "Anda membuat hash dari body tanpa spasi di sekelilingnya yang ikut dikirim.",
  },
  "bodyHash.crlf": {
    en: "You hashed the body with line ends of Windows (CRLF) and sent others.",
    id: "Anda membuat hash dari body dengan akhir baris Windows (CRLF), tetapi mengirim yang lain.",
  },
  "bodyHash.lf": {
    en: "You hashed the body with line ends of Unix (LF) and sent those of Windows (CRLF).",
    id: "Anda membuat hash dari body dengan akhir baris Unix (LF), tetapi mengirim akhir baris Windows (CRLF).",
  },
  "bodyHash.ofNothing": {
    en: "You signed the hash of an empty body.",
    id: "Anda menandatangani hash dari body kosong.",
  },
  "bodyHash.ofEmpty": {
    en: "You signed the hash of an empty JSON value instead of the body.",
    id: "Anda menandatangani hash dari nilai JSON kosong, bukan dari body.",
  },
  "bodyHash.lowerCaseBody": {
    en: "You hashed the body in lower case; only the hex of its hash is lower case.",
    id: "Anda membuat hash dari body dalam huruf kecil; yang huruf kecil hanya hex dari hash-nya.",
  },
  "bodyHash.stringTwice": {
    en: "You hashed the body encoded as a JSON string.",
    id: "Anda membuat hash dari body yang di-encode sebagai string JSON.",
  },
  "bodyHash.byteOrderMark": {
    en: "You hashed the body with a byte order mark that you did not send.",
    id: "Anda membuat hash dari body dengan byte order mark yang tidak dikirim.",
  },
  "bodyHash.latin1": {
    en: "You hashed the body in Latin-1 and sent it in UTF-8.",
    id: "Anda membuat hash dari body dalam Latin-1, tetapi mengirimnya dalam UTF-8.",
  },
  "bodyHash.upperCase": {
    en: "You wrote the hash of the body in capitals; it is lower-case hex.",
    id: "Anda menulis hash body dengan huruf besar; seharusnya hex huruf kecil.",
  },
  "bodyHash.base64": {
    en: "You wrote the hash of the body in Base64; it is lower-case hex.",
    id: "Anda menulis hash body dalam Base64; seharusnya hex huruf kecil.",
  },
  "bodyHash.base64OfHex": {
    en: "You wrote the hash of the body as Base64 of its hex; it is the hex.",
    id: "Anda menulis hash body sebagai Base64 dari hex-nya; seharusnya hex-nya.",
  },
  "bodyHash.otherDigest": {
    en: "You hashed the body with {digest}; it is SHA-256.",
    id: "Anda membuat hash body dengan {digest}; seharusnya SHA-256.",
  },
  "bodyHash.hmac": {
    en: "You signed the HMAC-{digest} of the body with the client secret; it is SHA-256, without a key.",
    id: "Anda menandatangani HMAC-{digest} dari body dengan client secret; seharusnya SHA-256 tanpa kunci.",
  },
  "bodyHash.twice": {
    en: "You hashed the body twice.",
    id: "Anda membuat hash body dua kali.",
  },
  "bodyHash.leftOut": {
    en: "You signed the text without the hash of the body.",
    id: "Anda menandatangani teks tanpa hash body.",
  },
  "bodyHash.bodyItself": {
    en: "You signed the body itself instead of its hash.",
    id: "Anda menandatangani body itu sendiri, bukan hash-nya.",
  },
} as const satisfies Readonly<Record<string, Sentence>>;
