/** Faults in method, path, size, headers, token, identity and time, and limits (steps 1 to 6, 8 and 9). */
import type { Sentence } from "./sentence.ts";

export const headSentences = {
  "call.unknownPath": {
    en: "There is no service at {path}.",
    id: "Tidak ada layanan di {path}.",
  },
  "call.unknownPathNear": {
    en: "There is no service at {path}. Did you mean {near}?",
    id: "Tidak ada layanan di {path}. Apakah yang dimaksud {near}?",
  },
  "call.unknownSuffix": {
    en: "There is no service at {path}. To serve an operation there, its operator adds the path to TITIAN_PATH_ALIASES.",
    id: "Tidak ada layanan di {path}. Untuk melayani operasi di sana, operator menambahkan path itu ke TITIAN_PATH_ALIASES.",
  },
  "call.unknownSuffixNear": {
    en: "There is no service at {path}. Did you mean {near}? To serve it at both, its operator adds the path to TITIAN_PATH_ALIASES.",
    id: "Tidak ada layanan di {path}. Apakah yang dimaksud {near}? Untuk melayani keduanya, operator menambahkan path itu ke TITIAN_PATH_ALIASES.",
  },
  "call.unknownVersion": {
    en: "The version {version} is not served; this service has {versions}: {near}. Its operator adds versions with TITIAN_VERSIONS.",
    id: "Versi {version} tidak dilayani; layanan ini memiliki {versions}: {near}. Operator menambahkan versi dengan TITIAN_VERSIONS.",
  },
  "call.versionForm": {
    en: "{version} is no version such as v1.0 or v2: the path is {near}.",
    id: "{version} bukan versi seperti v1.0 atau v2: path-nya adalah {near}.",
  },
  "call.unknownPrefix": {
    en: "The prefix {prefix} is not served; this service has {prefixes}: {near}. Its operator adds prefixes with TITIAN_PATH_PREFIX.",
    id: "Prefix {prefix} tidak dilayani; layanan ini memiliki {prefixes}: {near}. Operator menambahkan prefix dengan TITIAN_PATH_PREFIX.",
  },
  "call.prefixForm": {
    en: 'The prefix {prefix} cannot be served: a prefix has segments of letters, digits, "-", "_" and ".", and does not begin with a path of the sandbox\'s own, such as /sandbox or /docs: {near}.',
    id: 'Prefix {prefix} tidak dapat dilayani: prefix terdiri dari segmen huruf, angka, "-", "_" dan ".", dan tidak diawali path milik sandbox sendiri, seperti /sandbox atau /docs: {near}.',
  },
  "call.missingRoot": {
    en: "You called {path} without {root}: the path is {near}.",
    id: "Anda memanggil {path} tanpa {root}: path-nya adalah {near}.",
  },
  "call.trailingSlash": {
    en: "The path has a slash at its end; it is {near}.",
    id: "Path memiliki garis miring di akhirnya; seharusnya {near}.",
  },
  "call.notification": {
    en: "{path} is a notification: the service sends it to you and is not called there.",
    id: "{path} adalah notifikasi: layanan yang mengirimnya kepada Anda dan tidak dipanggil di sana.",
  },
  "call.method": {
    en: "You called with {method}; every service is called with POST.",
    id: "Anda memanggil dengan {method}; setiap layanan dipanggil dengan POST.",
  },
  "call.tooLarge": {
    en: "The body is longer than allowed (64 KiB unless the operator set otherwise; 8 MiB for a bulk transfer).",
    id: "Body lebih panjang dari yang diizinkan (64 KiB kecuali diatur lain; 8 MiB untuk transfer bulk).",
  },
  "header.missing": {
    en: "The header {header} is missing or empty: {expected}",
    id: "Header {header} tidak ada atau kosong: {expected}",
  },
  "header.missingNear": {
    en: "The header {header} is missing; you sent {near}, which has no meaning here. {expected}",
    id: "Header {header} tidak ada; Anda mengirim {near}, yang tidak berarti apa-apa di sini. {expected}",
  },
  "header.format": {
    en: 'The header {header} is "{came}": {expected}',
    id: 'Header {header} berisi "{came}": {expected}',
  },
  "header.repeated": {
    en: 'The header {header} was sent more than once ("{came}"): send it once.',
    id: 'Header {header} dikirim lebih dari sekali ("{came}"): kirim satu kali.',
  },
  "header.timestampZone": {
    en: 'X-TIMESTAMP is "{came}", without an offset: write one behind it, such as 2026-11-21T10:00:00+07:00.',
    id: 'X-TIMESTAMP berisi "{came}", tanpa offset: tulis di belakangnya, misalnya 2026-11-21T10:00:00+07:00.',
  },
  "header.timestampZoneColon": {
    en: 'X-TIMESTAMP is "{came}": the offset needs a colon, such as +07:00.',
    id: 'X-TIMESTAMP berisi "{came}": offset memerlukan titik dua, misalnya +07:00.',
  },
  "header.timestampEpoch": {
    en: 'X-TIMESTAMP is the number "{came}": it is a text such as 2026-11-21T10:00:00+07:00.',
    id: 'X-TIMESTAMP berisi angka "{came}": seharusnya teks seperti 2026-11-21T10:00:00+07:00.',
  },
  "header.tooLong": {
    en: "The header {header} has {length} characters; {max} are allowed.",
    id: "Header {header} memiliki {length} karakter; yang diizinkan {max}.",
  },
  "token.absent": {
    en: "There is no access token: send Authorization: Bearer and the token of service 73.",
    id: "Tidak ada access token: kirim Authorization: Bearer dan token dari layanan 73.",
  },
  "token.absentUnknownPartner": {
    en: "There is no access token. X-PARTNER-ID {partner} is not known either: a partner of mode 2 needs none.",
    id: "Tidak ada access token. X-PARTNER-ID {partner} juga tidak dikenal: partner mode 2 tidak memerlukannya.",
  },
  "token.schemeMissing": {
    en: "Authorization holds the token without its scheme: write Bearer and a space before it.",
    id: "Authorization memuat token tanpa skemanya: tulis Bearer dan spasi di depannya.",
  },
  "token.otherScheme": {
    en: "Authorization has the scheme {scheme}; it is Bearer.",
    id: "Authorization memakai skema {scheme}; seharusnya Bearer.",
  },
  "token.expired": {
    en: "The access token expired at {expiredAt}, {seconds} seconds before the call: get a new one from service 73.",
    id: "Access token kedaluwarsa pada {expiredAt}, {seconds} detik sebelum panggilan: minta yang baru dari layanan 73.",
  },
  "token.saysExpired": {
    en: "The access token says that it expired at {expiredAt}, {seconds} seconds before the call; whether this service issued it is not known. Get a new one from service 73.",
    id: "Menurut isinya, access token kedaluwarsa pada {expiredAt}, {seconds} detik sebelum panggilan; tidak diketahui apakah layanan ini yang menerbitkannya. Minta yang baru dari layanan 73.",
  },
  "token.ended": {
    en: "This service issued the access token, and it is no longer valid: it expired as the call arrived, or its partner is not active. Get a new one from service 73.",
    id: "Layanan ini menerbitkan access token tersebut, tetapi sudah tidak berlaku: kedaluwarsa saat panggilan tiba, atau partnernya tidak aktif. Minta yang baru dari layanan 73.",
  },
  "token.garbage": {
    en: "What Authorization holds ({token}) is not an access token of this service: it is not a JWT.",
    id: "Isi Authorization ({token}) bukan access token layanan ini: bukan JWT.",
  },
  "token.notOurs": {
    en: "The access token ({token}) was not issued by this service, or was altered: get one from service 73.",
    id: "Access token ({token}) tidak diterbitkan layanan ini, atau telah diubah: minta dari layanan 73.",
  },
  "token.customerAsPartner": {
    en: "Authorization holds a customer's token (service 74); it belongs in Authorization-Customer.",
    id: "Authorization memuat token nasabah (layanan 74); tempatnya di Authorization-Customer.",
  },
  "token.suspended": {
    en: "The token's partner {partner} is suspended.",
    id: "Partner {partner} dari token ini sedang ditangguhkan.",
  },
  "token.retired": {
    en: "The token's partner {partner} is retired for good.",
    id: "Partner {partner} dari token ini telah diakhiri untuk selamanya.",
  },
  "customerToken.schemeMissing": {
    en: "Authorization-Customer holds the token without its scheme: write Bearer and a space before it.",
    id: "Authorization-Customer memuat token tanpa skemanya: tulis Bearer dan spasi di depannya.",
  },
  "customerToken.expired": {
    en: "The customer's token expired at {expiredAt}: refresh it with service 74.",
    id: "Token nasabah kedaluwarsa pada {expiredAt}: perbarui dengan layanan 74.",
  },
  "customerToken.saysExpired": {
    en: "The customer's token says that it expired at {expiredAt}; whether this service issued it is not known. Refresh it with service 74.",
    id: "Menurut isinya, token nasabah kedaluwarsa pada {expiredAt}; tidak diketahui apakah layanan ini yang menerbitkannya. Perbarui dengan layanan 74.",
  },
  "customerToken.ended": {
    en: "This service issued the customer's token, and it is not valid for this call: its grant has ended, or it belongs to another partner. Get one from service 74.",
    id: "Layanan ini menerbitkan token nasabah tersebut, tetapi tidak berlaku untuk panggilan ini: izinnya telah berakhir, atau milik partner lain. Minta dari layanan 74.",
  },
  "customerToken.partnerToken": {
    en: "Authorization-Customer holds the access token of service 73; a customer's token comes from service 74.",
    id: "Authorization-Customer memuat access token layanan 73; token nasabah berasal dari layanan 74.",
  },
  "customerToken.otherPartners": {
    en: "The customer's token was issued to another partner: {partner}.",
    id: "Token nasabah diterbitkan untuk partner lain: {partner}.",
  },
  "customerToken.invalid": {
    en: "The customer's token is not one of this service, or its grant has ended: get one from service 74.",
    id: "Token nasabah bukan dari layanan ini, atau izinnya telah berakhir: minta dari layanan 74.",
  },
  "customerToken.absent": {
    en: "This merchant's payments need the customer's token: send Authorization-Customer.",
    id: "Pembayaran merchant ini memerlukan token nasabah: kirim Authorization-Customer.",
  },
  "partner.otherPartners": {
    en: "The access token is that of {owner}, and X-PARTNER-ID says {partner}.",
    id: "Access token milik {owner}, sedangkan X-PARTNER-ID menyebut {partner}.",
  },
  "partner.signedByOther": {
    en: "X-PARTNER-ID says {partner}, and the call is signed as in mode 2 with the private key of {owner}: one of the two is wrong.",
    id: "X-PARTNER-ID menyebut {partner}, sedangkan panggilan ditandatangani seperti mode 2 dengan private key {owner}: salah satunya keliru.",
  },
  "partner.unknown": {
    en: "X-PARTNER-ID {partner} is not known.",
    id: "X-PARTNER-ID {partner} tidak dikenal.",
  },
  "partner.unknownNear": {
    en: "X-PARTNER-ID {partner} is not known. Did you mean {near}?",
    id: "X-PARTNER-ID {partner} tidak dikenal. Apakah yang dimaksud {near}?",
  },
  "partner.suspended": {
    en: "The partner {partner} is suspended.",
    id: "Partner {partner} sedang ditangguhkan.",
  },
  "partner.retired": {
    en: "The partner {partner} is retired for good.",
    id: "Partner {partner} telah diakhiri untuk selamanya.",
  },
  "client.unknown": {
    en: "X-CLIENT-KEY {clientKey} is not known.",
    id: "X-CLIENT-KEY {clientKey} tidak dikenal.",
  },
  "client.unknownNear": {
    en: "X-CLIENT-KEY {clientKey} is not known. Did you mean {near}?",
    id: "X-CLIENT-KEY {clientKey} tidak dikenal. Apakah yang dimaksud {near}?",
  },
  "address.notAllowed": {
    en: "Your connection is not as agreed with {partner}: your address is not on its list, or your client certificate or TLS version is another.",
    id: "Koneksi Anda tidak seperti yang disepakati dengan {partner}: alamat Anda tidak ada dalam daftarnya, atau sertifikat klien atau versi TLS Anda lain.",
  },
  "time.ahead": {
    en: "X-TIMESTAMP is {difference} ahead of our clock ({ourClock}); {window} are allowed.",
    id: "X-TIMESTAMP {difference} lebih cepat dari jam kami ({ourClock}); yang diizinkan {window}.",
  },
  "time.behind": {
    en: "X-TIMESTAMP is {difference} behind our clock ({ourClock}); {window} are allowed.",
    id: "X-TIMESTAMP {difference} lebih lambat dari jam kami ({ourClock}); yang diizinkan {window}.",
  },
  "time.utcAsJakarta": {
    en: "X-TIMESTAMP is exactly 7 hours behind our clock ({ourClock}): it is the time of UTC with the offset of Jakarta.",
    id: "X-TIMESTAMP tepat 7 jam di belakang jam kami ({ourClock}): itu waktu UTC dengan offset Jakarta.",
  },
  "time.jakartaAsUtc": {
    en: "X-TIMESTAMP is exactly 7 hours ahead of our clock ({ourClock}): it is the time of Jakarta with Z behind it.",
    id: "X-TIMESTAMP tepat 7 jam di depan jam kami ({ourClock}): itu waktu Jakarta dengan Z di belakangnya.",
  },
  "time.zone": {
    en: "X-TIMESTAMP differs by {difference} from our clock ({ourClock}), a whole number of hours: its offset does not fit its time.",
    id: "X-TIMESTAMP berbeda {difference} dari jam kami ({ourClock}), kelipatan jam penuh: offset-nya tidak sesuai dengan waktunya.",
  },
  "service.notAllowed": {
    en: "{partner} may not use service {service}: the operator assigns services.",
    id: "{partner} tidak boleh memakai layanan {service}: operator yang menetapkan layanan.",
  },
  "rate.exceeded": {
    en: "{partner} makes more calls than agreed, or has used up a day's quota of what is stored of it: wait as long as Retry-After says.",
    id: "{partner} melakukan lebih banyak panggilan dari yang disepakati, atau kuota hariannya untuk data yang disimpan telah habis: tunggu selama Retry-After.",
  },
  "service.busy": {
    en: "The service is busy and took nothing: wait as long as Retry-After says, then repeat with the same X-EXTERNAL-ID.",
    id: "Layanan sedang sibuk dan tidak memproses apa pun: tunggu selama Retry-After, lalu ulangi dengan X-EXTERNAL-ID yang sama.",
  },
  "call.passes": {
    en: "Nothing is wrong with this call up to step 12: what it was answered is about its content.",
    id: "Tidak ada kesalahan pada panggilan ini sampai langkah 12: jawabannya menyangkut isinya.",
  },
  "call.withoutBody": {
    en: "Nothing is wrong with the head of this call. Signature and fields were not judged, as its body is missing.",
    id: "Tidak ada kesalahan pada head panggilan ini. Tanda tangan dan field belum diperiksa karena body-nya tidak ada.",
  },
  "call.unexplained": {
    en: "The call was answered {responseCode} at step {step}.",
    id: "Panggilan dijawab {responseCode} pada langkah {step}.",
  },
} as const satisfies Readonly<Record<string, Sentence>>;
