/** Meaning of each reason in brackets behind a message, for people. Its words are part of the interface: `responseReasons`. */
import type { CaseName } from "../response-cases.ts";
import type { ReasonOf } from "../response-reasons.ts";
import type { Sentence } from "./case-causes.ts";

const say = (en: string, id: string): Sentence => ({ en, id });

const reasonCauses: { readonly [Name in CaseName]?: Readonly<Record<ReasonOf<Name>, Sentence>> } = {
  badRequest: {
    "Not JSON": say("The body does not follow the grammar of JSON.", "Body tidak mengikuti tata bahasa JSON."),
    "Not an object": say("The body is JSON, and no object.", "Body adalah JSON, tetapi bukan objek."),
    "Not UTF-8": say("The bytes are not UTF-8.", "Byte-nya bukan UTF-8."),
    "Byte order mark": say("The body starts with a byte order mark.", "Body diawali byte order mark."),
    "Lone surrogate": say(
      "A text has half of a character's pair of escapes.",
      "Sebuah teks memuat setengah pasangan escape karakter.",
    ),
    "Duplicate key": say("An object has one name twice.", "Sebuah objek memuat nama yang sama dua kali."),
    "Forbidden key": say("An object has a name that is not accepted.", "Sebuah objek memuat nama yang tidak diterima."),
    "Too deep": say(
      "Too many objects and lists stand inside one another.",
      "Terlalu banyak objek dan daftar bertingkat.",
    ),
    "Too many values": say(
      "The body holds more values than are accepted.",
      "Body memuat lebih banyak nilai dari yang diterima.",
    ),
    "Free-form member too large": say(
      "additionalInfo or items is longer than 64 KiB.",
      "additionalInfo atau items lebih dari 64 KiB.",
    ),
    "Body too large": say("The body is longer than is accepted.", "Body lebih panjang dari yang diterima."),
  },
  unauthorized: {
    Signature: say(
      "The signature does not verify: compare the text that was signed, byte for byte.",
      "Tanda tangan tidak cocok: bandingkan teks yang ditandatangani, byte demi byte.",
    ),
    Timestamp: say(
      "X-TIMESTAMP is more than 5 minutes from the service's clock: set the clock, sign when sending.",
      "X-TIMESTAMP berbeda lebih dari 5 menit dari jam layanan: setel jam, tandatangani saat mengirim.",
    ),
    "Unknown client": say(
      "X-CLIENT-KEY or X-PARTNER-ID is not known, or is not that of the token.",
      "X-CLIENT-KEY atau X-PARTNER-ID tidak dikenal, atau bukan milik token itu.",
    ),
    "Connection not allowed": say(
      "The call comes from an address that is not on the partner's list, or its client certificate or TLS version is another.",
      "Panggilan datang dari alamat yang tidak ada dalam daftar partner, atau sertifikat klien atau versi TLS-nya lain.",
    ),
    "Invalid authorization code": say(
      "The code was used, has expired, or belongs to another partner: ask the customer for a new one.",
      "Kode sudah dipakai, kedaluwarsa, atau milik partner lain: minta kode baru dari nasabah.",
    ),
    "Invalid refresh token": say(
      "The refresh token was used, has expired, or belongs to another partner: ask the customer for a new code.",
      "Refresh token sudah dipakai, kedaluwarsa, atau milik partner lain: minta kode baru dari nasabah.",
    ),
  },
  featureNotAllowed: {
    "Service not assigned to this partner": say("The operator has not assigned it.", "Operator belum membukanya."),
  },
  exceedsTransactionAmountLimit: {
    "Account limit": say(
      "Above the account's limit for one transaction.",
      "Di atas batas rekening untuk satu transaksi.",
    ),
    "Rail limit": say("Above what the rail carries.", "Di atas batas jaringan."),
    "Hold remainder": say("More than the hold still holds: ask for it (64).", "Melebihi sisa hold: tanyakan (64)."),
    "Refundable amount": say(
      "More than was captured and not refunded: ask for it (64).",
      "Melebihi yang telah di-capture dan belum dikembalikan: tanyakan (64).",
    ),
  },
  activityCountLimitExceeded: {
    "Account limit": say(
      "As many as the account may send in a day.",
      "Sebanyak yang boleh dikirim rekening dalam sehari.",
    ),
    "Hold limit": say("As many changes as a hold may have.", "Sebanyak perubahan yang boleh dimiliki sebuah hold."),
    "Open requests": say(
      "As many requests as may wait for this payer.",
      "Sebanyak permintaan yang boleh menunggu pembayar ini.",
    ),
  },
  featureNotAllowedAtThisTime: {
    "Rail closed until 06:30": say("The rail is closed at this hour.", "Jaringan tutup pada jam ini."),
    "Rail closed by operator": say(
      "The bank has closed the rail for now: nothing was sent.",
      "Bank menutup jaringan untuk sementara: tidak ada yang dikirim.",
    ),
    "Service closed": say(
      "The bank has closed the service for now: nothing was changed.",
      "Bank menutup layanan untuk sementara: tidak ada yang berubah.",
    ),
    "Rail down": say("The rail is down: nothing was sent.", "Jaringan terganggu: tidak ada yang dikirim."),
  },
  dormantAccount: {
    "Source account": say("The account that pays.", "Rekening pembayar."),
    "Beneficiary account": say("The account that is paid.", "Rekening penerima."),
  },
  inactiveAccount: {
    "Source account": say("The account that pays.", "Rekening pembayar."),
    "Beneficiary account": say("The account that is paid.", "Rekening penerima."),
  },
  accountLimitExceeded: {
    "Source account": say("The limit of the account that pays.", "Batas rekening pembayar."),
    "Beneficiary account": say(
      "The beneficiary may not receive so much.",
      "Penerima tidak boleh menerima sebanyak itu.",
    ),
  },
  transactionNotPermitted: {
    "Source account": say(
      "Not an account that the partner may debit, whether there is one or not.",
      "Bukan rekening yang boleh didebit partner, baik ada maupun tidak.",
    ),
    "Same account": say(
      "Payer and beneficiary are the same account.",
      "Pembayar dan penerima adalah rekening yang sama.",
    ),
    "Refund window": say("The capture can be refunded no longer.", "Capture tidak dapat dikembalikan lagi."),
  },
  transactionNotFound: {
    "References disagree": say(
      "The references belong to different transactions.",
      "Referensi milik transaksi yang berbeda.",
    ),
    "External ids are kept 7 days, numbers for ever": say(
      "The external id finds no request any more: ask by a number.",
      "External id tidak lagi menemukan permintaan: tanyakan dengan nomor.",
    ),
  },
  bankNotSupported: {
    "Unknown bank": say("There is no bank with this code.", "Tidak ada bank dengan kode ini."),
    "Own bank": say(
      "The bank is ours: use the transfer within the bank (17).",
      "Bank ini milik kami: pakai transfer dalam bank (17).",
    ),
    "Bank not reachable": say("The rail does not reach this bank now.", "Jaringan tidak menjangkau bank ini sekarang."),
  },
  invalidAccount: {
    "Unknown beneficiary account": say("There is no such beneficiary account.", "Rekening penerima tidak ada."),
    "Unknown source account": say("There is no such payer's account.", "Rekening pembayar tidak ada."),
  },
  invalidAmount: {
    "Zero amount": say("The amount is zero.", "Nominalnya nol."),
    "Below minimum": say("Below what the rail carries.", "Di bawah batas minimum jaringan."),
    "Fee exceeds amount": say(
      "The beneficiary's part of the fee leaves nothing.",
      "Bagian biaya penerima tidak menyisakan apa pun.",
    ),
    "Amounts disagree": say(
      "The amount contradicts voidRemainingAmount.",
      "Nominal bertentangan dengan voidRemainingAmount.",
    ),
  },
  conflict: {
    "X-EXTERNAL-ID was used for another request": say(
      "The id was accepted with other content or for another service: ask for the status by a number.",
      "Id ini diterima dengan isi lain atau untuk layanan lain: tanyakan status dengan nomor.",
    ),
  },
  duplicatePartnerReferenceNo: {
    partnerBulkId: say("The bulk's number was used before.", "Nomor bulk pernah dipakai."),
    partnerCaptureNo: say(
      "The capture's number was used before on this hold.",
      "Nomor capture pernah dipakai pada hold ini.",
    ),
    partnerVoidNo: say("The void's number was used before on this hold.", "Nomor void pernah dipakai pada hold ini."),
    partnerRefundNo: say(
      "The refund's number was used before on this hold.",
      "Nomor refund pernah dipakai pada hold ini.",
    ),
  },
};

const byCase: Partial<Record<CaseName, Readonly<Record<string, Sentence>>>> = reasonCauses;

/** Meaning of a reason of a case; undefined where there is no such reason. */
export const reasonCause = (name: CaseName, reason: string): Sentence | undefined => byCase[name]?.[reason];
