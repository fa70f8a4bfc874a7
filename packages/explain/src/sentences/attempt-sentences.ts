/** Reasons why a partner's receiver did not accept a notification, as far as its answer shows them. */
import type { Sentence } from "./sentence.ts";

export const attemptSentences = {
  "attempt.signature": {
    en: "The receiver did not accept the signature. titian partner notify {partner} --test --service {service} tries which mistake its verification makes.",
    id: "Penerima tidak menerima tanda tangan. titian partner notify {partner} --test --service {service} mencoba kesalahan verifikasi mana yang dibuatnya.",
  },
  "attempt.otherPartner": {
    en: "The receiver is that of another partner, or expects another partner id than {partner}.",
    id: "Penerima ini milik mitra lain, atau mengharapkan partner id selain {partner}.",
  },
  "attempt.time": {
    en: "The receiver rejected the time: X-TIMESTAMP is the time of sending, with +07:00. Its clock is wrong, or it does not read the offset.",
    id: "Penerima menolak waktunya: X-TIMESTAMP adalah waktu pengiriman, dengan +07:00. Jamnya salah, atau offset tidak dibacanya.",
  },
  "attempt.token": {
    en: "The receiver did not accept the access token that its access-token/b2b issued (mode 1).",
    id: "Penerima tidak menerima access token yang diterbitkan access-token/b2b miliknya (mode 1).",
  },
  "attempt.noEnvelope401": {
    en: "HTTP 401 without a responseCode: a proxy or framework before the receiver asks for credentials of its own, or its check of the signature does not answer in the standard's form.",
    id: "HTTP 401 tanpa responseCode: proxy atau framework di depan penerima meminta kredensialnya sendiri, atau pemeriksaan tanda tangannya tidak menjawab dalam bentuk standar.",
  },
  "attempt.path": {
    en: "The receiver verified the path {theirs}: it must take the path as it was sent, {ours}, before a proxy or router changes it.",
    id: "Penerima memverifikasi path {theirs}: path harus dipakai seperti yang dikirim, {ours}, sebelum diubah proxy atau router.",
  },
  "attempt.hashUpperCase": {
    en: "The receiver writes the hash of the body in upper-case hex: it must be lower-case.",
    id: "Penerima menulis hash dari body dalam hex huruf besar: harus huruf kecil.",
  },
  "attempt.hashForm": {
    en: "The receiver put {theirs} where the hash of the body belongs: it must be SHA-256 of the bytes received, in 64 digits of lower-case hex.",
    id: "Penerima menaruh {theirs} di tempat hash dari body: harus SHA-256 dari byte yang diterima, 64 digit hex huruf kecil.",
  },
  "attempt.hashOfNothing": {
    en: "The receiver hashed an empty body: something before it had read the stream, or had not parsed it. It must hash the raw bytes.",
    id: "Penerima membuat hash dari body kosong: sesuatu di depannya sudah membaca stream, atau belum mem-parse-nya. Hash harus dari byte mentah.",
  },
  "attempt.timeForm": {
    en: "The receiver wrote the time anew as {theirs}: it must put the text of X-TIMESTAMP into the text as it stands.",
    id: "Penerima menulis ulang waktu sebagai {theirs}: teks X-TIMESTAMP harus dipakai apa adanya.",
  },
  "attempt.forbidden": {
    en: "HTTP 403: a firewall, a list of permitted addresses or an anti-bot check stands before the receiver. Let our addresses in.",
    id: "HTTP 403: firewall, daftar alamat yang diizinkan atau pemeriksaan anti-bot ada di depan penerima. Izinkan alamat kami.",
  },
  "attempt.notFound": {
    en: "Nothing is at this path: the address is a base URL, behind which come version and service path.",
    id: "Tidak ada apa pun di path ini: alamat adalah URL dasar, di belakangnya versi dan path layanan.",
  },
  "attempt.unknownReference": {
    en: "The receiver verified the signature, and knows no such transfer.",
    id: "Penerima telah memverifikasi tanda tangan, dan tidak mengenal transfer ini.",
  },
  "attempt.method": {
    en: "HTTP 405: the receiver has the path, and does not take POST there.",
    id: "HTTP 405: penerima punya path ini, tetapi tidak menerima POST di sana.",
  },
  "attempt.body": {
    en: "The receiver rejected the form of the request before its content: it must take application/json in UTF-8, and additional members.",
    id: "Penerima menolak bentuk permintaan sebelum isinya: harus menerima application/json dalam UTF-8, dan member tambahan.",
  },
  "attempt.tooLarge": {
    en: "HTTP 413: the receiver, or a proxy before it, takes no body of this size. It must take 128 KiB.",
    id: "HTTP 413: penerima, atau proxy di depannya, tidak menerima body sebesar ini. Harus menerima 128 KiB.",
  },
  "attempt.tooMany": {
    en: "HTTP 429: the receiver limits how often it is called.",
    id: "HTTP 429: penerima membatasi seberapa sering dipanggil.",
  },
  "attempt.redirect": {
    en: "The receiver answers with a redirect, which is not followed. Register the address that it leads to.",
    id: "Penerima menjawab dengan redirect, yang tidak diikuti. Daftarkan alamat tujuannya.",
  },
  "attempt.gateway": {
    en: "HTTP {status}: the proxy before the receiver does not reach it.",
    id: "HTTP {status}: proxy di depan penerima tidak dapat mencapainya.",
  },
  "attempt.failedThere": {
    en: "The receiver failed. Its log has the reason.",
    id: "Penerima gagal. Alasannya ada di log-nya.",
  },
  "attempt.rejected": {
    en: "The receiver answered {code}, which is no success. Its log has the reason.",
    id: "Penerima menjawab {code}, yang bukan sukses. Alasannya ada di log-nya.",
  },
  "attempt.numberAsCode": {
    en: "The receiver wrote responseCode as a number: it must be a text of seven digits, in quotation marks.",
    id: "Penerima menulis responseCode sebagai angka: harus berupa teks tujuh digit dalam tanda kutip.",
  },
  "attempt.otherCode": {
    en: "The receiver's responseCode {code} has not seven digits: HTTP status, service, and case, such as 2007600.",
    id: "responseCode {code} dari penerima tidak terdiri dari tujuh digit: status HTTP, layanan, dan kasus, misalnya 2007600.",
  },
  "attempt.page": {
    en: "The answer is a page, not JSON: a proxy or a website answered instead of the receiver.",
    id: "Jawabannya halaman, bukan JSON: proxy atau situs web menjawab, bukan penerima.",
  },
  "attempt.noEnvelope": {
    en: "The answer has no responseCode: the receiver must answer with the standard's envelope, as JSON.",
    id: "Jawabannya tanpa responseCode: penerima harus menjawab dengan envelope standar, sebagai JSON.",
  },
  "attempt.statusAgainstCode": {
    en: "The responseCode says success and the HTTP status is {status}: both must say so.",
    id: "responseCode menyatakan sukses tetapi status HTTP-nya {status}: keduanya harus menyatakan sukses.",
  },
  "test.accepted": {
    en: "The receiver accepted the test notification: a real one would be delivered.",
    id: "Penerima menerima notifikasi uji: notifikasi yang sebenarnya akan terkirim.",
  },
  "test.mode": {
    en: "The receiver verifies mode {mode}.",
    id: "Penerima memverifikasi mode {mode}.",
  },
  "test.wholePath": {
    en: "The receiver verifies the whole path of the address.",
    id: "Penerima memverifikasi seluruh path dari alamat.",
  },
  "test.servicePath": {
    en: "The receiver verifies the path behind its base address alone.",
    id: "Penerima hanya memverifikasi path di belakang alamat dasarnya.",
  },
  "test.change": {
    en: "Set it: titian partner change {partner}{options}",
    id: "Atur: titian partner change {partner}{options}",
  },
  "test.signature": {
    en: "The receiver did not accept the signature, and verified it with none of the usual mistakes. Compare its copy of the provider's public key (SHA-256 {key}; in mode 1 the client secret) and the text that it verifies.",
    id: "Penerima tidak menerima tanda tangan, dan tidak satu pun kesalahan umum yang dicoba cocok. Bandingkan salinan kunci publik penyedia (SHA-256 {key}; di mode 1 client secret) dan teks yang diverifikasinya.",
  },
  "test.sameText": {
    en: "The receiver verified the very text that was signed: its copy of the provider's public key is another (SHA-256 {key}), or in mode 1 its client secret, or it verifies another algorithm.",
    id: "Penerima memverifikasi teks yang persis ditandatangani: salinan kunci publik penyedia berbeda (SHA-256 {key}), atau di mode 1 client secret-nya, atau algoritmanya lain.",
  },
} as const satisfies Readonly<Record<string, Sentence>>;
