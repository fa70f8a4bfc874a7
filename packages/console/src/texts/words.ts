/** Words that the service sends, as people read them, and their tone. A word of a later release is shown as it is. */
import type { ActView, Match } from "@titian/control/types";
import { language } from "../preferences.ts";

export type Tone = "good" | "warn" | "bad" | "info" | "plain";

type Word = readonly [en: string, id: string, tone?: Tone];

const states: Readonly<Record<string, Word>> = {
  // Transfers.
  queued: ["Queued", "Mengantre", "info"],
  submitted: ["Submitted", "Dikirim", "info"],
  pending: ["Pending", "Menunggu hasil", "info"],
  settled: ["Settled", "Selesai", "good"],
  rejected: ["Rejected", "Ditolak", "bad"],
  returned: ["Returned", "Dikembalikan", "warn"],
  // Payments.
  open: ["On hold", "Ditahan", "info"],
  partlyCaptured: ["Partly captured", "Ditagih sebagian", "info"],
  captured: ["Captured", "Ditagih", "good"],
  lapsed: ["Lapsed", "Lewat waktu", "warn"],
  refunded: ["Refunded", "Direfund", "warn"],
  voided: ["Voided", "Dibatalkan", "plain"],
  expired: ["Expired", "Kedaluwarsa", "plain"],
  // Payment requests.
  waiting: ["Waiting", "Menunggu", "info"],
  approved: ["Approved", "Disetujui", "good"],
  declined: ["Declined", "Ditolak pembayar", "bad"],
  // Bulks.
  ended: ["Ended", "Berakhir", "good"],
  // Notifications.
  delivered: ["Delivered", "Terkirim", "good"],
  dead: ["Undeliverable", "Tidak terkirim", "bad"],
  kept: ["No address", "Tanpa alamat", "plain"],
  // Accounts and partners.
  active: ["Active", "Aktif", "good"],
  dormant: ["Dormant", "Pasif", "warn"],
  moved: ["Moved", "Dipindahkan", "warn"],
  arriving: ["Arriving", "Sedang masuk", "warn"],
  blocked: ["Blocked", "Diblokir", "bad"],
  closed: ["Closed", "Ditutup", "plain"],
  suspended: ["Suspended", "Ditangguhkan", "bad"],
  retired: ["Retired", "Diakhiri", "plain"],
};

const statuses: Readonly<Record<string, Word>> = {
  "00": ["Success", "Berhasil", "good"],
  "01": ["Initiated", "Dimulai", "info"],
  "02": ["Paying", "Sedang dibayar", "info"],
  "03": ["Pending", "Menunggu", "info"],
  "04": ["Refunded", "Dikembalikan", "warn"],
  "05": ["Canceled", "Dibatalkan", "plain"],
  "06": ["Failed", "Gagal", "bad"],
  "07": ["Not found", "Tidak ditemukan", "plain"],
};

const kinds: Readonly<Record<string, Word>> = {
  payment: ["Payment", "Pembayaran"],
  transfer: ["Transfer", "Transfer"],
  paymentRequest: ["Payment request", "Permintaan pembayaran"],
  bulk: ["Bulk transfer", "Transfer massal"],
  bulkItem: ["Bulk item", "Item transfer massal"],
  account: ["Account", "Rekening"],
  notification: ["Notification", "Notifikasi"],
  rejection: ["Rejected request", "Permintaan ditolak"],
  call: ["Call", "Panggilan"],
};

const postings: Readonly<Record<string, Word>> = {
  funding: ["Funding", "Pendanaan"],
  transfer: ["Transfer", "Transfer"],
  capture: ["Capture", "Penagihan"],
  refund: ["Refund", "Refund"],
  submission: ["Submission to the rail", "Penyerahan ke jaringan"],
  settlement: ["Settlement", "Penyelesaian"],
  fee: ["Fee", "Biaya"],
  reversal: ["Reversal", "Pembalikan"],
  return: ["Return", "Pengembalian"],
  withdrawal: ["Withdrawal", "Penarikan"],
  correction: ["Correction", "Koreksi"],
  move: ["Move", "Pemindahan"],
  transit: ["From another cell", "Dari sel lain"],
};

const numbers: Readonly<Record<string, Word>> = {
  referenceNo: ["our reference number", "nomor referensi kami"],
  captureNo: ["capture number", "nomor penagihan"],
  voidNo: ["void number", "nomor pembatalan"],
  refundNo: ["refund number", "nomor refund"],
  bulkId: ["bulk id", "id transfer massal"],
  journal: ["journal number", "nomor jurnal"],
  traceNo: ["trace number", "nomor jejak"],
  partnerReferenceNo: ["partner's number", "nomor mitra"],
  partnerCaptureNo: ["partner's capture number", "nomor penagihan mitra"],
  partnerVoidNo: ["partner's void number", "nomor pembatalan mitra"],
  partnerRefundNo: ["partner's refund number", "nomor refund mitra"],
  partnerBulkId: ["partner's bulk id", "id transfer massal mitra"],
  externalId: ["external id", "external id"],
  notificationExternalId: ["the notification's external id", "external id notifikasi"],
  accountNo: ["account number", "nomor rekening"],
  payerAccountNo: ["payer's account", "rekening pembayar"],
  beneficiaryAccountNo: ["beneficiary's account", "rekening penerima"],
  holderName: ["holder's name", "nama pemilik rekening"],
  payerName: ["payer's name", "nama pembayar"],
  beneficiaryName: ["beneficiary's name", "nama penerima"],
  customerReference: ["customer reference", "referensi nasabah"],
  amount: ["amount", "jumlah"],
  correlationId: ["correlation id", "correlation id"],
} satisfies Readonly<Record<Match["matchedBy"], Word>>;

const modes: Readonly<Record<string, Word>> = {
  normal: ["normal", "normal", "good"],
  slow: ["slow", "lambat", "warn"],
  limbo: ["unresponsive", "tidak merespons", "warn"],
  down: ["down", "mati", "bad"],
};

const rails: Readonly<Record<string, Word>> = {
  interbank: ["Interbank", "Antarbank"],
  rtgs: ["RTGS", "RTGS"],
  skn: ["SKN", "SKN"],
};

const roles: Readonly<Record<string, Word>> = {
  payer: ["Payer", "Pembayar"],
  beneficiary: ["Beneficiary", "Penerima"],
  merchant: ["Merchant", "Pedagang"],
};

const acts: Readonly<Record<string, Word>> = {
  proposed: ["Waits for approval", "Menunggu persetujuan", "info"],
  approved: ["Approved", "Disetujui", "info"],
  refused: ["Refused", "Ditolak", "bad"],
  expired: ["Expired", "Kedaluwarsa", "plain"],
  done: ["Carried out", "Dijalankan", "good"],
  rejected: ["Not carried out", "Tidak dijalankan", "warn"],
} satisfies Readonly<Record<ActView["state"], Word>>;

const actKinds: Readonly<Record<string, Word>> = {
  opening: ["opening balance", "saldo awal"],
  funding: ["funding", "pengisian saldo"],
  withdrawal: ["withdrawal", "penarikan saldo"],
  correction: ["correction of accounts", "koreksi rekening"],
  move: ["move between our own accounts", "pemindahan antarrekening sendiri"],
  resolution: ["result of a transfer", "hasil transfer"],
  return: ["return of a transfer", "pengembalian transfer"],
  adoption: ["adoption of a payment", "pencatatan kembali pembayaran"],
  accountOpening: ["opening of an account", "pembukaan rekening"],
  blocking: ["blocking of an account", "pemblokiran rekening"],
  accountChange: ["change of an account", "perubahan rekening"],
  accountMove: ["move of an account", "pemindahan rekening"],
  closing: ["closing of a rail or service", "penutupan jaringan atau layanan"],
  reopening: ["reopening of a rail or service", "pembukaan kembali jaringan atau layanan"],
  operatorAddition: ["addition of an operator", "penambahan operator"],
  roleGrant: ["grant of a role", "pemberian peran"],
  roleRemoval: ["removal of a role", "pencabutan peran"],
  operatorEnding: ["ending of an operator", "pengakhiran operator"],
  breakGlass: ["session without the identity provider", "sesi tanpa penyedia identitas"],
  unmasking: ["unmasking of personal data", "pembukaan data pribadi"],
  partner: ["terms of a partner", "ketentuan partner"],
  partnerKey: ["keys of a partner", "kunci partner"],
  partnerSuspension: ["suspension of a partner", "penangguhan partner"],
  partnerResumption: ["end of a partner's suspension", "akhir penangguhan partner"],
  partnerRetirement: ["retirement of a partner", "pengakhiran partner"],
  merchant: ["terms of a merchant", "ketentuan merchant"],
  merchantSuspension: ["suspension of a merchant", "penangguhan merchant"],
  merchantResumption: ["end of a merchant's suspension", "akhir penangguhan merchant"],
  grantRevocation: ["revocation of a consent", "pencabutan persetujuan"],
  operator: ["first operators", "operator pertama"],
};

const operatorRoles: Readonly<Record<string, Word>> = {
  viewer: ["viewer", "pembaca"],
  support: ["support", "dukungan"],
  operator: ["operator", "operator"],
  approver: ["approver", "penyetuju"],
  security: ["security", "keamanan"],
  auditor: ["auditor", "auditor"],
};

export const operatorRoleNames: readonly string[] = Object.keys(operatorRoles);

/** Meanings of the states, by kind: what the service says in English. */
const meanings: Readonly<Record<string, string>> = {
  "payment.open": "Dana ditahan, belum ada yang ditagih",
  "payment.partlyCaptured": "Sebagian sudah ditagih, sebagian masih ditahan",
  "payment.captured": "Tidak ada lagi yang ditahan, dan ada yang ditagih",
  "payment.lapsed": "Kedaluwarsa dengan penagihan dan sisa",
  "payment.refunded": "Tidak ada lagi yang ditahan, dan semua yang ditagih sudah direfund",
  "payment.voided": "Dilepas sebelum ada yang ditagih",
  "payment.expired": "Kedaluwarsa sebelum ada yang ditagih",
  "transfer.queued": "Uang sudah disisihkan; jaringan pasti belum menerimanya",
  "transfer.submitted": "Sudah diserahkan ke jaringan, yang belum menjawab",
  "transfer.pending": "Jaringan sudah menerimanya; hasil atau batch-nya ditunggu",
  "transfer.settled": "Penerima sudah menerimanya",
  "transfer.rejected": "Tidak dibawa; jumlah dan biaya kembali ke pembayar",
  "transfer.returned": "Kembali setelah selesai; biaya tetap",
  "paymentRequest.waiting": "Menunggu jawaban pembayar",
  "paymentRequest.approved": "Disetujui pembayar; lewat jaringan, statusnya adalah status transfernya",
  "paymentRequest.declined": "Ditolak pembayar",
  "paymentRequest.expired": "Kedaluwarsa tanpa jawaban",
  "bulk.open": "Ada item yang hasilnya masih ditunggu",
  "bulk.ended": "Semua item sudah ada hasilnya",
};

/** @param english what the service says, which is shown of a state of a later release too */
export function meaningOf(kind: string, state: string, english: string): string {
  if (language.value !== "id") return english;
  return meanings[`${kind === "bulkItem" ? "transfer" : kind}.${state}`] ?? english;
}

const lists = { states, statuses, kinds, postings, numbers, modes, rails, roles, acts, actKinds, operatorRoles };
type ListName = keyof typeof lists;

export function word(list: ListName, name: string): string {
  const found = lists[list][name];
  return found ? found[language.value === "id" ? 1 : 0] : name;
}

export function toneOf(list: ListName, name: string): Tone {
  return lists[list][name]?.[2] ?? "plain";
}
