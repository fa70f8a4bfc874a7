/**
 * Cause and cure of each response case that an operation may be answered with, for people: what happened, and what to do.
 * A case with several causes has the others in `reasonCauses`, by the reason in brackets.
 */
import type { CaseName } from "../response-cases.ts";

/** The same sentence in English and in Indonesian. */
export interface Sentence {
  readonly en: string;
  readonly id: string;
}

export interface CaseCause {
  readonly cause: Sentence;
  readonly cure: Sentence;
}

const row = (cause: Sentence, cure: Sentence): CaseCause => ({ cause, cure });
const say = (en: string, id: string): Sentence => ({ en, id });

const otherAccount = say(
  "Use another account, or ask the account's holder or the operator.",
  "Gunakan rekening lain, atau hubungi pemilik rekening atau operator.",
);
const newToken = say(
  "Get a new token from service 73, and sign the call again with it.",
  "Minta token baru dari layanan 73, lalu tandatangani ulang panggilan dengan token itu.",
);

export const caseCauses: Readonly<Partial<Record<CaseName, CaseCause>>> = {
  success: row(
    say("The call was carried out.", "Panggilan telah dijalankan."),
    say("Store our number from the response.", "Simpan nomor kami dari respons."),
  ),
  requestInProgress: row(
    say(
      "The money has left the account, and the rail has not answered yet: the result is not known.",
      "Dana telah keluar dari rekening dan jaringan belum menjawab: hasilnya belum diketahui.",
    ),
    say(
      "Ask for the status (36) until it is final. Do not start another transfer for the same purpose.",
      "Tanyakan status (36) sampai final. Jangan membuat transfer lain untuk tujuan yang sama.",
    ),
  ),
  badRequest: row(
    say(
      "The body is not one strict JSON object, or is too large or too deeply nested. The reason is in brackets.",
      "Body bukan satu objek JSON yang benar, terlalu besar, atau terlalu bertingkat. Alasannya ada di dalam kurung siku.",
    ),
    say(
      "Correct what the reason names, and sign the new bytes.",
      "Perbaiki sesuai alasannya, lalu tandatangani byte yang baru.",
    ),
  ),
  invalidFieldFormat: row(
    say(
      "The field or header that the message names is malformed, too long, or has a value that is not allowed.",
      "Field atau header yang disebut dalam pesan salah format, terlalu panjang, atau nilainya tidak diizinkan.",
    ),
    say(
      "Correct it by the operation's list of fields, and sign the new bytes.",
      "Perbaiki menurut daftar field operasi, lalu tandatangani byte yang baru.",
    ),
  ),
  invalidMandatoryField: row(
    say(
      "The field or header that the message names is missing, null or blank.",
      "Field atau header yang disebut dalam pesan tidak ada, null, atau kosong.",
    ),
    say("Give it, and sign the new bytes.", "Isi field itu, lalu tandatangani byte yang baru."),
  ),
  unauthorized: row(
    say(
      "The caller could not be authenticated. The reason is in brackets.",
      "Pemanggil tidak dapat diautentikasi. Alasannya ada di dalam kurung siku.",
    ),
    say(
      "Correct what the reason names. In the sandbox the console says which part of the signature differs.",
      "Perbaiki sesuai alasannya. Di sandbox, konsol menyebut bagian tanda tangan yang berbeda.",
    ),
  ),
  invalidToken: row(
    say(
      "The access token has expired, was altered, or is not one of this service.",
      "Access token kedaluwarsa, telah diubah, atau bukan milik layanan ini.",
    ),
    newToken,
  ),
  invalidCustomerToken: row(
    say(
      "The token in Authorization-Customer has expired, belongs to another partner, or its grant has ended.",
      "Token di Authorization-Customer kedaluwarsa, milik partner lain, atau izinnya telah berakhir.",
    ),
    say(
      "Refresh it with service 74, or ask the customer for a new authorization code.",
      "Perbarui dengan layanan 74, atau minta kode otorisasi baru dari nasabah.",
    ),
  ),
  tokenNotFound: row(
    say("The header Authorization has no token.", "Header Authorization tidak berisi token."),
    say(
      "Send Authorization: Bearer and the access token of service 73. In signing mode 2 none is needed.",
      "Kirim Authorization: Bearer dan access token dari layanan 73. Dalam mode tanda tangan 2 tidak diperlukan.",
    ),
  ),
  customerTokenNotFound: row(
    say(
      "The merchant requires the customer's token, and none was sent.",
      "Merchant mewajibkan token nasabah, tetapi token itu tidak dikirim.",
    ),
    say(
      "Send Authorization-Customer: Bearer with a token of service 74.",
      "Kirim Authorization-Customer: Bearer dengan token dari layanan 74.",
    ),
  ),
  featureNotAllowed: row(
    say("The partner may not use this service.", "Partner tidak boleh memakai layanan ini."),
    say("Ask the operator to assign it.", "Minta operator untuk membukanya."),
  ),
  exceedsTransactionAmountLimit: row(
    say(
      "The amount is above a limit. The reason is in brackets.",
      "Nominal di atas batas. Alasannya ada di dalam kurung siku.",
    ),
    say("Choose a smaller amount.", "Pilih nominal yang lebih kecil."),
  ),
  activityCountLimitExceeded: row(
    say(
      "A number of transactions has reached its limit. The reason is in brackets.",
      "Jumlah transaksi telah mencapai batas. Alasannya ada di dalam kurung siku.",
    ),
    say("Wait until the limit allows more.", "Tunggu sampai batas mengizinkan lagi."),
  ),
  doNotHonor: row(
    say(
      "The rail rejected the transfer and does not say more. The money is back on the account.",
      "Jaringan menolak transfer tanpa keterangan lebih lanjut. Dana telah kembali ke rekening.",
    ),
    say(
      "It is final. For another try take a new external id and a new partnerReferenceNo.",
      "Ini final. Untuk mencoba lagi pakai external id dan partnerReferenceNo yang baru.",
    ),
  ),
  featureNotAllowedAtThisTime: row(
    say(
      "The rail is closed or down, or the bank has closed the service.",
      "Jaringan tutup atau sedang terganggu, atau bank menutup layanan.",
    ),
    say("Try again when it is open.", "Coba lagi saat jaringan buka."),
  ),
  dormantAccount: row(say("The account is dormant.", "Rekening dormant."), otherAccount),
  insufficientFunds: row(
    say(
      "Amount and fee are more than is available on the account that pays.",
      "Nominal dan biaya melebihi saldo tersedia pada rekening pembayar.",
    ),
    say(
      "Choose a smaller amount, or wait for funds. A refund is paid by the merchant's settlement account.",
      "Pilih nominal yang lebih kecil, atau tunggu dana. Pengembalian dana dibayar dari rekening settlement merchant.",
    ),
  ),
  transactionNotPermitted: row(
    say(
      "This transaction is not permitted. The reason is in brackets.",
      "Transaksi ini tidak diizinkan. Alasannya ada di dalam kurung siku.",
    ),
    say("Choose accounts that the partner may use for it.", "Pilih rekening yang boleh dipakai partner untuk itu."),
  ),
  inactiveAccount: row(say("The account is blocked or closed.", "Rekening diblokir atau ditutup."), otherAccount),
  accountLimitExceeded: row(
    say("The account's daily limit is used up.", "Batas harian rekening telah habis."),
    say(
      "Choose a smaller amount, or wait for the next business day.",
      "Pilih nominal yang lebih kecil, atau tunggu hari kerja berikutnya.",
    ),
  ),
  invalidTransactionStatus: row(
    say(
      "The hold's state does not allow this: it is closed or expired, or nothing was captured that could be refunded.",
      "Keadaan hold tidak mengizinkan ini: sudah ditutup atau kedaluwarsa, atau belum ada capture yang dapat dikembalikan.",
    ),
    say("Ask for its state (64).", "Tanyakan keadaannya (64)."),
  ),
  transactionNotFound: row(
    say(
      "No transaction of the partner matches all the references that were sent.",
      "Tidak ada transaksi partner yang cocok dengan semua referensi yang dikirim.",
    ),
    say("Compare the references with those that were stored.", "Bandingkan referensi dengan yang disimpan."),
  ),
  bankNotSupported: row(
    say(
      "The beneficiary's bank cannot be used. The reason is in brackets.",
      "Bank penerima tidak dapat dipakai. Alasannya ada di dalam kurung siku.",
    ),
    say("Correct the bank's code, or choose another rail.", "Perbaiki kode bank, atau pilih jaringan lain."),
  ),
  invalidMerchant: row(
    say(
      "The partner has no such merchant, or it is suspended.",
      "Partner tidak memiliki merchant itu, atau merchant ditangguhkan.",
    ),
    say("Correct merchantId, or ask the operator.", "Perbaiki merchantId, atau hubungi operator."),
  ),
  invalidAccount: row(
    say(
      "There is no such account. The reason is in brackets.",
      "Rekening tidak ada. Alasannya ada di dalam kurung siku.",
    ),
    say("Correct the account number.", "Perbaiki nomor rekening."),
  ),
  invalidAmount: row(
    say(
      "The amount cannot be used. The reason is in brackets.",
      "Nominal tidak dapat dipakai. Alasannya ada di dalam kurung siku.",
    ),
    say("Correct the amount.", "Perbaiki nominal."),
  ),
  inconsistentRequest: row(
    say(
      "The partner's number was accepted before with other content; additionalInfo says what holds it.",
      "Nomor partner pernah diterima dengan isi lain; additionalInfo menyebut pemakainya.",
    ),
    say(
      "Take a new number for a new transaction. The numbers of the caller are mixed up: check how they are made.",
      "Pakai nomor baru untuk transaksi baru. Nomor pemanggil tertukar: periksa cara pembuatannya.",
    ),
  ),
  notSupported: row(
    say("The method is not POST.", "Metodenya bukan POST."),
    say("Send POST; the header Allow says so.", "Kirim POST; header Allow menyebutnya."),
  ),
  conflict: row(
    say(
      "This X-EXTERNAL-ID was accepted before: the call is a repeat, and its effect happened once.",
      "X-EXTERNAL-ID ini pernah diterima: panggilan ini ulangan, dan efeknya terjadi satu kali.",
    ),
    say(
      "It is no failure. additionalInfo has the first response, and the current status, which outranks it.",
      "Ini bukan kegagalan. additionalInfo berisi respons pertama dan status saat ini, yang lebih menentukan.",
    ),
  ),
  duplicatePartnerReferenceNo: row(
    say(
      "The partner's number was accepted before, under another external id, with the same content. The effect happened once.",
      "Nomor partner pernah diterima dengan external id lain dan isi yang sama. Efeknya terjadi satu kali.",
    ),
    say(
      "It is no failure. additionalInfo has the first response and the current status.",
      "Ini bukan kegagalan. additionalInfo berisi respons pertama dan status saat ini.",
    ),
  ),
  tooManyRequests: row(
    say(
      "The partner sent more calls than its rate allows, or has used up a day's quota of what is stored of it.",
      "Partner mengirim panggilan lebih banyak dari yang diizinkan, atau kuota hariannya untuk data yang disimpan telah habis.",
    ),
    say(
      "Wait as Retry-After says, then repeat with the same X-EXTERNAL-ID.",
      "Tunggu sesuai Retry-After, lalu ulangi dengan X-EXTERNAL-ID yang sama.",
    ),
  ),
  generalError: row(
    say(
      "An internal error. Whether the call took effect is unknown.",
      "Kesalahan internal. Tidak diketahui apakah panggilan berlaku.",
    ),
    say(
      "Repeat with the same X-EXTERNAL-ID and the same bytes. The operator finds it by X-CORRELATION-ID.",
      "Ulangi dengan X-EXTERNAL-ID dan byte yang sama. Operator menemukannya dengan X-CORRELATION-ID.",
    ),
  ),
  serviceUnavailable: row(
    say(
      "The service is busy or not ready. Nothing of this call was accepted.",
      "Layanan sibuk atau belum siap. Tidak ada yang diterima dari panggilan ini.",
    ),
    say(
      "Wait as Retry-After says, then repeat with the same X-EXTERNAL-ID.",
      "Tunggu sesuai Retry-After, lalu ulangi dengan X-EXTERNAL-ID yang sama.",
    ),
  ),
  timeout: row(
    say(
      "The rail did not answer in time. Nothing was moved.",
      "Jaringan tidak menjawab tepat waktu. Tidak ada dana yang berpindah.",
    ),
    say("Try again.", "Coba lagi."),
  ),
};
