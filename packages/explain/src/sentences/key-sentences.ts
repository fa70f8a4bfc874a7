/** Mistakes in key, algorithm and encoding of a signature, and what is said where none is found. */
import type { Sentence } from "./sentence.ts";

export const keySentences = {
  "secret.held": {
    en: "{holder} holds {owner}'s client secret: it signs, and is never sent.",
    id: "{holder} berisi client secret milik {owner}: client secret hanya untuk menandatangani dan tidak pernah dikirim.",
  },
  "secret.privateKeyHeld": {
    en: "{holder} holds a private key: it signs, and is never sent. Replace it.",
    id: "{holder} berisi private key: private key hanya untuk menandatangani dan tidak pernah dikirim. Gantilah.",
  },
  "secret.lineBreak": {
    en: "You signed with a line break behind the client secret.",
    id: "Anda menandatangani dengan ganti baris di belakang client secret.",
  },
  "secret.spaces": {
    en: "You signed with a space beside the client secret.",
    id: "Anda menandatangani dengan spasi di samping client secret.",
  },
  "secret.quoted": {
    en: "You signed with quotation marks around the client secret.",
    id: "Anda menandatangani dengan tanda kutip di sekitar client secret.",
  },
  "secret.hexDecoded": {
    en: "You decoded the client secret from hex; it is used as text.",
    id: "Anda men-decode client secret dari hex; client secret dipakai sebagai teks.",
  },
  "secret.base64Decoded": {
    en: "You decoded the client secret from Base64; it is used as text.",
    id: "Anda men-decode client secret dari Base64; client secret dipakai sebagai teks.",
  },
  "secret.encoded": {
    en: "You encoded the client secret before using it; it is used as text.",
    id: "Anda meng-encode client secret sebelum memakainya; client secret dipakai sebagai teks.",
  },
  "secret.letterCase": {
    en: "You changed the letter case of the client secret.",
    id: "Anda mengubah huruf besar atau kecil client secret.",
  },
  "secret.clientKey": {
    en: "You signed with the client key instead of the client secret.",
    id: "Anda menandatangani dengan client key, bukan client secret.",
  },
  "secret.partnerId": {
    en: "You signed with the partner id instead of the client secret.",
    id: "Anda menandatangani dengan partner id, bukan client secret.",
  },
  "secret.token": {
    en: "You signed with the access token instead of the client secret.",
    id: "Anda menandatangani dengan access token, bukan client secret.",
  },
  "secret.publicKey": {
    en: "You signed with your public key as a text instead of the client secret.",
    id: "Anda menandatangani dengan public key Anda sebagai teks, bukan client secret.",
  },
  "secret.empty": {
    en: "You signed with an empty client secret.",
    id: "Anda menandatangani dengan client secret kosong.",
  },
  "secret.otherPartners": {
    en: "You signed with the key of another partner, {partner}: the key is wrong, or the partner that the call names.",
    id: "Anda menandatangani dengan kunci partner lain, {partner}: yang salah kuncinya, atau partner yang disebut panggilan.",
  },
  "algorithm.otherHmac": {
    en: "You signed with {algorithm}; it is HMAC-SHA512.",
    id: "Anda menandatangani dengan {algorithm}; seharusnya HMAC-SHA512.",
  },
  "algorithm.noKey": {
    en: "You sent a plain {algorithm} of the text, without a key; it is HMAC-SHA512 with the client secret.",
    id: "Anda mengirim {algorithm} biasa dari teks, tanpa kunci; seharusnya HMAC-SHA512 dengan client secret.",
  },
  "algorithm.secretInText": {
    en: "You hashed text and client secret together with {algorithm}; it is HMAC-SHA512 with the secret as its key.",
    id: "Anda membuat hash dari teks dan client secret sekaligus dengan {algorithm}; seharusnya HMAC-SHA512 dengan secret sebagai kunci.",
  },
  "algorithm.exchanged": {
    en: "You exchanged key and text of the HMAC ({algorithm}).",
    id: "Anda menukar kunci dan teks HMAC ({algorithm}).",
  },
  "algorithm.hashedBefore": {
    en: "You hashed the text before the HMAC ({algorithm}); the text itself is signed.",
    id: "Anda membuat hash dari teks sebelum HMAC ({algorithm}); yang ditandatangani adalah teks itu sendiri.",
  },
  "algorithm.rsa": {
    en: "You signed with {algorithm}.",
    id: "Anda menandatangani dengan {algorithm}.",
  },
  "algorithm.rsaForHmac": {
    en: "You signed with your private key ({algorithm}); your signing mode is HMAC-SHA512 with the client secret.",
    id: "Anda menandatangani dengan private key ({algorithm}); mode Anda adalah HMAC-SHA512 dengan client secret.",
  },
  "algorithm.hmacForRsa": {
    en: "You signed with {algorithm}; this text is signed with RSA-SHA256 and your private key.",
    id: "Anda menandatangani dengan {algorithm}; teks ini ditandatangani dengan RSA-SHA256 dan private key Anda.",
  },
  "algorithm.otherRsa": {
    en: "You signed with {algorithm}; it is RSA-SHA256.",
    id: "Anda menandatangani dengan {algorithm}; seharusnya RSA-SHA256.",
  },
  "algorithm.pss": {
    en: "You signed with {algorithm}; it is RSA-SHA256 with PKCS#1 v1.5 padding.",
    id: "Anda menandatangani dengan {algorithm}; seharusnya RSA-SHA256 dengan padding PKCS#1 v1.5.",
  },
  "algorithm.notHashed": {
    en: "You encrypted the text with your private key without hashing it; it is RSA-SHA256.",
    id: "Anda mengenkripsi teks dengan private key tanpa hash; seharusnya RSA-SHA256.",
  },
  "algorithm.noDigestInfo": {
    en: "You encrypted the {algorithm} of the text with your private key; sign the text with RSA-SHA256 (it names the digest inside).",
    id: "Anda mengenkripsi {algorithm} dari teks dengan private key; tandatangani teks dengan RSA-SHA256 (yang memuat nama digest).",
  },
  "algorithm.hashedTwice": {
    en: "You hashed the text before signing it, and signing hashes it again ({algorithm}).",
    id: "Anda membuat hash dari teks sebelum menandatanganinya, lalu penandatanganan membuat hash lagi ({algorithm}).",
  },
  "encoding.base64url": {
    en: "You sent the signature in URL-safe Base64 (- and _); it is standard Base64 (+ and /) with padding.",
    id: "Anda mengirim tanda tangan dalam Base64 URL-safe (- dan _); seharusnya Base64 standar (+ dan /) dengan padding.",
  },
  "encoding.padding": {
    en: "You sent the signature in Base64 with missing or wrong padding (=).",
    id: "Anda mengirim tanda tangan dalam Base64 dengan padding (=) yang kurang atau salah.",
  },
  "encoding.whiteSpace": {
    en: "You sent the signature with white space or line breaks in it.",
    id: "Anda mengirim tanda tangan dengan spasi atau ganti baris di dalamnya.",
  },
  "encoding.plusAsSpace": {
    en: "You sent the signature with spaces where it had + (a form decoding).",
    id: "Anda mengirim tanda tangan dengan spasi di tempat tanda + (decoding form).",
  },
  "encoding.percent": {
    en: "You sent the signature percent-encoded.",
    id: "Anda mengirim tanda tangan yang di-percent-encode.",
  },
  "encoding.percentLineBreaks": {
    en: "You sent the signature with line breaks, percent-encoded (%0D%0A); it is Base64 on one line.",
    id: "Anda mengirim tanda tangan dengan ganti baris yang di-percent-encode (%0D%0A); seharusnya Base64 dalam satu baris.",
  },
  "encoding.quoted": {
    en: "You sent the signature with quotation marks or escapes.",
    id: "Anda mengirim tanda tangan dengan tanda kutip atau escape.",
  },
  "encoding.prefixed": {
    en: "You sent a word before the signature; the header holds the signature alone.",
    id: "Anda mengirim kata di depan tanda tangan; header hanya memuat tanda tangan.",
  },
  "encoding.base64OfHex": {
    en: "You sent the hex of the signature in Base64 or hex again; encode its bytes once.",
    id: "Anda mengirim hex dari tanda tangan yang di-encode sekali lagi; encode byte-nya satu kali.",
  },
  "encoding.twice": {
    en: "You encoded the signature twice; encode its bytes in Base64 once.",
    id: "Anda meng-encode tanda tangan dua kali; encode byte-nya dalam Base64 satu kali.",
  },
  "signature.unknown": {
    en: "Either the client secret is another one, or the text that was signed is: none of the usual mistakes explains it. The hash of the body we received begins with {hash}; where yours differs, the body changed after you hashed it. Else compare the string to sign, character by character: this call's page in the console has it, and titian explain.",
    id: "Client secret atau teks yang ditandatangani berbeda: tidak ada kesalahan umum yang menjelaskannya. Hash body yang kami terima berawalan {hash}; jika milik Anda berbeda, body berubah setelah Anda menghitung hash-nya. Jika sama, bandingkan string to sign huruf demi huruf: ada di halaman panggilan ini di konsol, dan di titian explain.",
  },
  "signature.ownKey": {
    en: "The private key is the right one; you signed another text. Compare the string to sign below with yours, character by character.",
    id: "Private key sudah benar; teks yang Anda tandatangani berbeda. Bandingkan string to sign di bawah dengan milik Anda, huruf demi huruf.",
  },
  "signature.otherKey": {
    en: "The signature was not made with the private key of a public key that is registered for {partner}.",
    id: "Tanda tangan tidak dibuat dengan private key dari public key yang terdaftar untuk {partner}.",
  },
  "signature.wrongLength": {
    en: "The signature stands for {length} bytes; {algorithm} makes {expected}.",
    id: "Tanda tangan berisi {length} byte; {algorithm} menghasilkan {expected}.",
  },
  "signature.notEncoded": {
    en: "X-SIGNATURE ({characters} characters) is neither Base64 nor hex of a signature; {algorithm} makes {expected} bytes.",
    id: "X-SIGNATURE ({characters} karakter) bukan Base64 atau hex dari tanda tangan; {algorithm} menghasilkan {expected} byte.",
  },
  "signature.verifies": {
    en: "The signature verifies with the credentials known now: they were changed since, or the saved call is not the one that was refused.",
    id: "Tanda tangan cocok dengan kredensial saat ini: kredensial sudah diganti, atau panggilan yang disimpan bukan yang ditolak.",
  },
  "signature.bodyCut": {
    en: "The body was too long to keep, so its hash is not known: no other mistake explains the signature.",
    id: "Body terlalu panjang untuk disimpan, sehingga hash-nya tidak diketahui: tidak ada kesalahan lain yang menjelaskan tanda tangan.",
  },
} as const satisfies Readonly<Record<string, Sentence>>;
