import { define } from "./define.ts";

export const recordCalls = define({
  en: {
    title: "Calls",
    lead: "Calls that touched it, kept within two seconds of their answers. Sending one again gives it a new X-EXTERNAL-ID.",
    hasMore: "Of a record 20 are kept: there may have been more.",
    empty: "No call of it is kept.",
    at: "When",
    operation: "Operation",
    answer: "Answer",
    outcomes: { accepted: "Accepted", repeat: "Repeat", rejected: "Rejected", inquiry: "Inquiry" },
    count: (count: number) => (count === 1 ? "once" : `${count} times, this the last`),
    body: "Body",
    again: "Send again",
    againSameNumber: "Send again, with the same number: it is answered as a repeat",
    notKept: "from the ledger",
  },
  id: {
    title: "Panggilan",
    lead: "Panggilan yang menyentuhnya, disimpan dalam dua detik setelah dijawab. Kirim ulang memakai X-EXTERNAL-ID baru.",
    hasMore: "Per catatan disimpan 20: mungkin ada lebih banyak.",
    empty: "Tidak ada panggilan yang tersimpan.",
    at: "Waktu",
    operation: "Operasi",
    answer: "Jawaban",
    outcomes: { accepted: "Diterima", repeat: "Ulangan", rejected: "Ditolak", inquiry: "Pertanyaan status" },
    count: (count: number) => (count === 1 ? "sekali" : `${count} kali, ini yang terakhir`),
    body: "Isi",
    again: "Kirim ulang",
    againSameNumber: "Kirim ulang dengan nomor yang sama: dijawab sebagai ulangan",
    notKept: "dari buku besar",
  },
});
