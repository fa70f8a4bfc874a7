/** Faults in the JSON and the fields of a body (steps 10 to 12), and warnings. */
import type { Sentence } from "./sentence.ts";

export const bodySentences = {
  "json.empty": { en: "The body is empty; it is a JSON object.", id: "Body kosong; seharusnya objek JSON." },
  "json.form": {
    en: "The body is a form (name=value); it is a JSON object.",
    id: "Body berupa form (nama=nilai); seharusnya objek JSON.",
  },
  "json.placeholder": {
    en: "Line {line}, column {column}: the variable {variable} was sent as it is written, and not its value.",
    id: "Baris {line}, kolom {column}: variabel {variable} dikirim seperti tertulis, bukan nilainya.",
  },
  "json.expected": {
    en: "Line {line}, column {column}: {expected} is expected, {found} was found.",
    id: "Baris {line}, kolom {column}: seharusnya {expected}, ditemukan {found}.",
  },
  "json.expectedValue": {
    en: "Line {line}, column {column}: a value is expected, {found} was found.",
    id: "Baris {line}, kolom {column}: seharusnya ada nilai, ditemukan {found}.",
  },
  "json.endsEarly": {
    en: "The body ends at line {line}, column {column}, before its JSON is closed: {expected} is missing.",
    id: "Body berakhir di baris {line}, kolom {column}, sebelum JSON ditutup: {expected} tidak ada.",
  },
  "json.afterEnd": {
    en: "Line {line}, column {column}: {found} stands behind the end of the JSON object.",
    id: "Baris {line}, kolom {column}: {found} berada setelah akhir objek JSON.",
  },
  "json.trailingComma": {
    en: "Line {line}, column {column}: a comma stands before {found}, and nothing behind it.",
    id: "Baris {line}, kolom {column}: ada koma sebelum {found} tanpa isi setelahnya.",
  },
  "json.singleQuote": {
    en: "Line {line}, column {column}: texts and names stand in double quotes, not single ones.",
    id: "Baris {line}, kolom {column}: teks dan nama memakai tanda kutip ganda, bukan tunggal.",
  },
  "json.unquotedKey": {
    en: 'Line {line}, column {column}: names stand in double quotes: "{found}".',
    id: 'Baris {line}, kolom {column}: nama memakai tanda kutip ganda: "{found}".',
  },
  "json.word": {
    en: "Line {line}, column {column}: {found} is no JSON value; true, false and null are, in lower case.",
    id: "Baris {line}, kolom {column}: {found} bukan nilai JSON; yang ada true, false, dan null dengan huruf kecil.",
  },
  "json.number": {
    en: "Line {line}, column {column}: {found} is no JSON number.",
    id: "Baris {line}, kolom {column}: {found} bukan angka JSON.",
  },
  "json.control": {
    en: "Line {line}, column {column}: a text holds a line break or control character; write it as an escape such as \\n.",
    id: "Baris {line}, kolom {column}: teks memuat ganti baris atau karakter kontrol; tulis sebagai escape seperti \\n.",
  },
  "json.escape": {
    en: "Line {line}, column {column}: {found} is no escape of JSON.",
    id: "Baris {line}, kolom {column}: {found} bukan escape JSON.",
  },
  "json.notObject": {
    en: "The body is JSON, but no object: it starts with {found} instead of {.",
    id: "Body adalah JSON, tetapi bukan objek: diawali {found}, bukan {.",
  },
  "json.notUtf8": {
    en: "The body is not UTF-8: byte {offset} is wrong (line {line}, column {column}).",
    id: "Body bukan UTF-8: byte {offset} salah (baris {line}, kolom {column}).",
  },
  "json.byteOrderMark": {
    en: "The body starts with a byte order mark; send it without.",
    id: "Body diawali byte order mark; kirim tanpa itu.",
  },
  "json.duplicateKey": {
    en: 'Line {line}, column {column}: the name "{found}" stands twice in one object.',
    id: 'Baris {line}, kolom {column}: nama "{found}" muncul dua kali dalam satu objek.',
  },
  "json.forbiddenKey": {
    en: 'Line {line}, column {column}: the name "{found}" is not accepted.',
    id: 'Baris {line}, kolom {column}: nama "{found}" tidak diterima.',
  },
  "json.loneSurrogate": {
    en: "Line {line}, column {column}: half a character ({found}); both halves of a pair are needed.",
    id: "Baris {line}, kolom {column}: setengah karakter ({found}); kedua bagian pasangan diperlukan.",
  },
  "json.tooDeep": {
    en: "Line {line}, column {column}: more than {max} objects and lists inside one another.",
    id: "Baris {line}, kolom {column}: lebih dari {max} objek dan daftar bertingkat.",
  },
  "json.tooMuch": {
    en: "The body holds more values than are accepted, or a free-form member longer than 64 KiB.",
    id: "Body memuat lebih banyak nilai dari yang diterima, atau bagian bebas yang lebih dari 64 KiB.",
  },
  "json.unread": {
    en: "The body is not one strict JSON object ({reason}).",
    id: "Body bukan satu objek JSON yang benar ({reason}).",
  },
  "field.missing": {
    en: "{field} is mandatory and missing, empty or null. {meaning}",
    id: "{field} wajib diisi, tetapi tidak ada, kosong, atau null. {meaning}",
  },
  "field.missingNear": {
    en: "{field} is mandatory and missing; you sent {near}, which is not a field of this service.",
    id: "{field} wajib diisi dan tidak ada; Anda mengirim {near}, yang bukan field layanan ini.",
  },
  "field.notText": {
    en: "{field} is {came}; it is a text in double quotes.",
    id: "{field} berisi {came}; seharusnya teks dalam tanda kutip ganda.",
  },
  "field.notMoney": {
    en: '{field} is {came}; it is an object such as {"value": "10000.00", "currency": "IDR"}.',
    id: '{field} berisi {came}; seharusnya objek seperti {"value": "10000.00", "currency": "IDR"}.',
  },
  "field.notAmount": {
    en: '{field} is {came}; it is a text of digits with up to two decimals, such as "10000.00".',
    id: '{field} berisi {came}; seharusnya teks berisi angka dengan paling banyak dua desimal, seperti "10000.00".',
  },
  "field.tooFine": {
    en: '{field} is {came}: more decimals than allowed ({decimals} for {currency}); write it as a text such as "{example}".',
    id: '{field} berisi {came}: desimal lebih banyak dari yang diizinkan ({decimals} untuk {currency}); tulis sebagai teks seperti "{example}".',
  },
  "field.tooLarge": {
    en: "{field} is {came}: more digits before the point than allowed (16).",
    id: "{field} berisi {came}: angka di depan titik lebih banyak dari yang diizinkan (16).",
  },
  "field.past": {
    en: "{field} is {came}, which is not in the future (our clock: {ourClock}): send a later time.",
    id: "{field} berisi {came}, yang tidak berada di masa depan (jam kami: {ourClock}): kirim waktu setelah itu.",
  },
  "field.tooFarAhead": {
    en: "{field} is {came}, which is too far ahead (our clock: {ourClock}): send a time at most 90 days ahead, unless the bank set otherwise.",
    id: "{field} berisi {came}, yang terlalu jauh di depan (jam kami: {ourClock}): kirim waktu paling lama 90 hari ke depan, kecuali diatur lain oleh bank.",
  },
  "field.validity": {
    en: "{field} is {came}; a hold ends 1 minute to 90 days after the call (our clock: {ourClock}): send a time in between.",
    id: "{field} berisi {came}; hold berakhir 1 menit sampai 90 hari setelah panggilan (jam kami: {ourClock}): kirim waktu di antaranya.",
  },
  "field.repeatedItem": {
    en: "{field} is {came}, the same as {first}: give each item of a bulk a number of its own.",
    id: "{field} berisi {came}, sama dengan {first}: beri setiap item dalam bulk nomor tersendiri.",
  },
  "field.listLength": {
    en: "{field} has {length} entries; {min} to {max} are allowed.",
    id: "{field} berisi {length} entri; yang diizinkan {min} sampai {max}.",
  },
  "field.notList": {
    en: "{field} is {came}; it is a list of {min} to {max} objects.",
    id: "{field} berisi {came}; seharusnya daftar berisi {min} sampai {max} objek.",
  },
  "field.notEntry": {
    en: "{field} is {came}; it is an object.",
    id: "{field} berisi {came}; seharusnya objek.",
  },
  "field.tooLong": {
    en: "{field} has {length} characters; {max} are allowed.",
    id: "{field} memiliki {length} karakter; yang diizinkan {max}.",
  },
  "field.oneOf": {
    en: "{field} is {came}; it is one of {values}.",
    id: "{field} berisi {came}; seharusnya salah satu dari {values}.",
  },
  "field.format": {
    en: "{field} is {came}: {expected}",
    id: "{field} berisi {came}: {expected}",
  },
  "field.characters": {
    en: "{field} holds a character that cannot be seen (a control character or a change of direction): {came}.",
    id: "{field} memuat karakter yang tidak terlihat (karakter kontrol atau pengubah arah): {came}.",
  },
  "field.currency": {
    en: "{field} is {came} and differs from the currency of the amount or account it belongs to.",
    id: "{field} berisi {came} dan berbeda dari mata uang jumlah atau rekening terkait.",
  },
  "field.faulty": {
    en: "{field} is not as it must be: {came}.",
    id: "{field} tidak sesuai ketentuan: {came}.",
  },
  "field.unread": {
    en: "{field} is missing or not as it must be; the body was too long to keep.",
    id: "{field} tidak ada atau tidak sesuai ketentuan; body terlalu panjang untuk disimpan.",
  },
  "warning.decimals": {
    en: '{field} is "{came}": other providers require two decimals, such as "{expected}".',
    id: '{field} berisi "{came}": penyedia lain mewajibkan dua desimal, seperti "{expected}".',
  },
  "warning.channel": {
    en: "CHANNEL-ID is {came}; {expected} was agreed with {partner}.",
    id: "CHANNEL-ID berisi {came}; yang disepakati dengan {partner} adalah {expected}.",
  },
  "warning.minified": {
    en: "The signature is that of the minified body; other providers verify the bytes that were sent.",
    id: "Tanda tangan dibuat dari body yang di-minify; penyedia lain memeriksa byte yang dikirim.",
  },
  "warning.unknownField": {
    en: "{field} is not a field of this service and was ignored. Did you mean {near}?",
    id: "{field} bukan field layanan ini dan diabaikan. Apakah yang dimaksud {near}?",
  },
} as const satisfies Readonly<Record<string, Sentence>>;
