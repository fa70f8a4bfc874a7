/** Mistakes in the text that was signed: method, path, token, time, and how it is put together. */
import type { Sentence } from "./sentence.ts";

export const textSentences = {
  "path.withoutVersion": {
    en: "You signed the path without {version}.",
    id: "Anda menandatangani path tanpa {version}.",
  },
  "path.withoutPrefix": {
    en: "You signed the path without {prefix}.",
    id: "Anda menandatangani path tanpa {prefix}.",
  },
  "path.suffixOnly": {
    en: "You signed only the end of the path, without {prefix}.",
    id: "Anda hanya menandatangani akhir path, tanpa {prefix}.",
  },
  "path.withoutQuery": {
    en: "You signed the path without its query.",
    id: "Anda menandatangani path tanpa query-nya.",
  },
  "path.sortedQuery": {
    en: "You signed the query with its parameters in another order than you sent them.",
    id: "Anda menandatangani query dengan urutan parameter yang berbeda dari yang dikirim.",
  },
  "path.trailingSlash": {
    en: "You signed the path with a slash at its end.",
    id: "Anda menandatangani path dengan garis miring di akhirnya.",
  },
  "path.withoutTrailingSlash": {
    en: "You signed the path without the slash at its end.",
    id: "Anda menandatangani path tanpa garis miring di akhirnya.",
  },
  "path.withoutSlash": {
    en: "You signed the path without the slash at its start.",
    id: "Anda menandatangani path tanpa garis miring di awalnya.",
  },
  "path.doubledSlash": {
    en: "You signed the path with two slashes where there is one.",
    id: "Anda menandatangani path dengan dua garis miring di tempat yang seharusnya satu.",
  },
  "path.fullUrl": {
    en: "You signed the whole address with the host; only path and query are signed.",
    id: "Anda menandatangani seluruh alamat beserta host; yang ditandatangani hanya path dan query.",
  },
  "path.folded": {
    en: "You signed the path in other letter case than you sent it.",
    id: "Anda menandatangani path dengan huruf besar atau kecil yang berbeda dari yang dikirim.",
  },
  "path.percentDecoded": {
    en: "You signed the path with its percent escapes decoded.",
    id: "Anda menandatangani path yang persen-nya sudah di-decode.",
  },
  "path.percentEncoded": {
    en: "You signed the path percent-encoded; it is signed as it was sent.",
    id: "Anda menandatangani path yang di-percent-encode; path ditandatangani seperti yang dikirim.",
  },
  "path.otherVersion": {
    en: "You signed the path with the version {version}, which is not the one you called.",
    id: "Anda menandatangani path dengan versi {version}, bukan versi yang dipanggil.",
  },
  "path.otherPrefix": {
    en: "You signed the path with {prefix} before it, which is not in the path you called.",
    id: "Anda menandatangani path dengan {prefix} di depannya, yang tidak ada pada path yang dipanggil.",
  },
  "path.otherOperation": {
    en: "You signed the path of another service: {path}.",
    id: "Anda menandatangani path layanan lain: {path}.",
  },
  "token.leftOut": {
    en: "You signed the text without the access token.",
    id: "Anda menandatangani teks tanpa access token.",
  },
  "token.empty": {
    en: "You signed two colons with nothing between them where the access token belongs.",
    id: "Anda menandatangani dua titik dua tanpa isi di tempat access token.",
  },
  "token.doubledColon": {
    en: "You signed two colons where the token of mode 1 would be; mode 2 has one colon there.",
    id: "Anda menandatangani dua titik dua di tempat token mode 1; mode 2 hanya memakai satu titik dua.",
  },
  "token.present": {
    en: "You signed an access token; your signing mode (asymmetric) has no token in the text.",
    id: "Anda menandatangani access token; mode tanda tangan Anda (asimetris) tidak memakai token dalam teks.",
  },
  "token.withBearer": {
    en: 'You signed the token with the word "Bearer" before it.',
    id: 'Anda menandatangani token dengan kata "Bearer" di depannya.',
  },
  "token.customers": {
    en: "You signed the customer's token (Authorization-Customer) instead of the one in Authorization.",
    id: "Anda menandatangani token nasabah (Authorization-Customer), bukan token di Authorization.",
  },
  "token.lineBreak": {
    en: "You signed the token with a line break behind it.",
    id: "Anda menandatangani token dengan ganti baris di belakangnya.",
  },
  "token.quoted": {
    en: "You signed the token with its quotation marks.",
    id: "Anda menandatangani token beserta tanda kutipnya.",
  },
  "token.changed": {
    en: "You signed the token in lower case.",
    id: "Anda menandatangani token dalam huruf kecil.",
  },
  "token.clientKey": {
    en: "You signed the client key where the access token belongs.",
    id: "Anda menandatangani client key di tempat access token.",
  },
  "token.word": {
    en: 'You signed the word "{word}" where the access token belongs: the variable held no token.',
    id: 'Anda menandatangani kata "{word}" di tempat access token: variabelnya tidak berisi token.',
  },
  "timestamp.withoutFraction": {
    en: "You signed the time without the fraction of a second that X-TIMESTAMP has: {timestamp}.",
    id: "Anda menandatangani waktu tanpa pecahan detik yang ada di X-TIMESTAMP: {timestamp}.",
  },
  "timestamp.withFraction": {
    en: "You signed the time with a fraction of a second that X-TIMESTAMP does not have: {timestamp}.",
    id: "Anda menandatangani waktu dengan pecahan detik yang tidak ada di X-TIMESTAMP: {timestamp}.",
  },
  "timestamp.withoutZone": {
    en: "You signed the time without its offset: {timestamp}.",
    id: "Anda menandatangani waktu tanpa offset-nya: {timestamp}.",
  },
  "timestamp.zoneWithoutColon": {
    en: "You signed the offset without its colon: {timestamp}.",
    id: "Anda menandatangani offset tanpa titik dua: {timestamp}.",
  },
  "timestamp.utc": {
    en: "You signed the time in UTC and sent it with another offset: {timestamp} is not the text of X-TIMESTAMP.",
    id: "Anda menandatangani waktu dalam UTC dan mengirimnya dengan offset lain: {timestamp} bukan teks X-TIMESTAMP.",
  },
  "timestamp.utcAsJakarta": {
    en: "You signed the time of UTC with the offset of Jakarta: {timestamp}.",
    id: "Anda menandatangani waktu UTC dengan offset Jakarta: {timestamp}.",
  },
  "timestamp.jakarta": {
    en: "You signed the time of Jakarta and sent it with another offset: {timestamp} is not the text of X-TIMESTAMP.",
    id: "Anda menandatangani waktu Jakarta dan mengirimnya dengan offset lain: {timestamp} bukan teks X-TIMESTAMP.",
  },
  "timestamp.localAsUtc": {
    en: "You signed the local time with Z behind it: {timestamp}.",
    id: "Anda menandatangani waktu lokal dengan Z di belakangnya: {timestamp}.",
  },
  "timestamp.spelling": {
    en: "You signed the time in another spelling than X-TIMESTAMP has: {timestamp}.",
    id: "Anda menandatangani waktu dengan penulisan yang berbeda dari X-TIMESTAMP: {timestamp}.",
  },
  "timestamp.epoch": {
    en: "You signed the time as a number ({timestamp}); the text of X-TIMESTAMP is signed.",
    id: "Anda menandatangani waktu sebagai angka ({timestamp}); yang ditandatangani adalah teks X-TIMESTAMP.",
  },
  "timestamp.otherTime": {
    en: "You signed another time than you sent: {timestamp}. Read the clock once.",
    id: "Anda menandatangani waktu yang berbeda dari yang dikirim: {timestamp}. Baca jam satu kali saja.",
  },
  "timestamp.earlier": {
    en: "You signed a time {seconds} seconds before X-TIMESTAMP, such as that of the token call: {timestamp}. Sign the text of X-TIMESTAMP.",
    id: "Anda menandatangani waktu {seconds} detik sebelum X-TIMESTAMP, misalnya waktu permintaan token: {timestamp}. Tandatangani teks X-TIMESTAMP.",
  },
  "timestamp.leftOut": {
    en: "You signed the text without the time.",
    id: "Anda menandatangani teks tanpa waktu.",
  },
  "method.case": {
    en: "You signed the method in other letter case; it is signed in capitals.",
    id: "Anda menandatangani method dengan huruf yang berbeda; method ditandatangani dengan huruf besar.",
  },
  "method.other": {
    en: "You signed the method {method} instead of the one you sent.",
    id: "Anda menandatangani method {method}, bukan method yang dikirim.",
  },
  "method.leftOut": {
    en: "You signed the text without the method.",
    id: "Anda menandatangani teks tanpa method.",
  },
  "text.lineBreak": {
    en: "You signed the text with a line break at its end (echo writes one, printf does not).",
    id: "Anda menandatangani teks dengan ganti baris di akhirnya (echo menambahkannya, printf tidak).",
  },
  "text.separator": {
    en: "You joined the parts of the text with another character than the required one.",
    id: "Anda menggabungkan bagian-bagian teks dengan karakter yang bukan semestinya.",
  },
  "text.letterCase": {
    en: "You changed the letter case of the whole text before signing it.",
    id: "Anda mengubah huruf besar atau kecil seluruh teks sebelum menandatanganinya.",
  },
  "text.order": {
    en: "You signed the parts of the text in another order.",
    id: "Anda menandatangani bagian-bagian teks dengan urutan yang berbeda.",
  },
  "clientKey.other": {
    en: "You signed another client key than X-CLIENT-KEY has.",
    id: "Anda menandatangani client key yang berbeda dari X-CLIENT-KEY.",
  },
  "mode.asymmetric": {
    en: "You signed as in mode 2 (private key, no token); your signing mode is symmetric: client secret, and the token in the text.",
    id: "Anda menandatangani seperti mode 2 (private key, tanpa token); mode Anda simetris: client secret, dengan token dalam teks.",
  },
  "mode.symmetric": {
    en: "You signed as in mode 1 (client secret, token in the text); your signing mode is asymmetric: private key, no token.",
    id: "Anda menandatangani seperti mode 1 (client secret, token dalam teks); mode Anda asimetris: private key, tanpa token.",
  },
  "mode.tokenText": {
    en: "You signed client key and time, as for an access token; a call signs method, path, token, hash and time.",
    id: "Anda menandatangani client key dan waktu, seperti untuk access token; panggilan menandatangani method, path, token, hash, dan waktu.",
  },
  "mode.callText": {
    en: "You signed method, path, hash and time, as for a call; an access token is asked for with client key, a bar and the time.",
    id: "Anda menandatangani method, path, hash, dan waktu, seperti untuk panggilan; permintaan access token menandatangani client key, garis tegak, dan waktu.",
  },
} as const satisfies Readonly<Record<string, Sentence>>;
