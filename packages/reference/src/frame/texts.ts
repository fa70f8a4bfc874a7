/** Texts of the pages' frame and of headings, in both languages. */
import type { Text } from "../languages.ts";
import type { GroupName } from "../site.ts";

const say = (en: string, id: string): Text => ({ en, id });

export const texts = {
  brand: say("Reference", "Referensi"),
  console: say("Console", "Konsol"),
  tryIt: say("Try it", "Coba"),
  tryNote: say("Opens the console with a body that works.", "Membuka konsol dengan body yang berfungsi."),
  skip: say("Skip to the content", "Langsung ke isi"),
  menu: say("Menu", "Menu"),
  navigation: say("Reference", "Referensi"),
  search: say("Search", "Cari"),
  searchHint: say("Operations, fields, response codes, guides", "Operasi, field, kode respons, panduan"),
  noResult: say("Nothing found", "Tidak ditemukan"),
  onThisPage: say("On this page", "Di halaman ini"),
  overview: say("Overview", "Ringkasan"),
  asMarkdown: say("This page as Markdown", "Halaman ini sebagai Markdown"),
  document: say("OpenAPI document", "Dokumen OpenAPI"),
  controlDocument: say("OpenAPI of the control calls", "OpenAPI panggilan kontrol"),
  inEnglish: say("This page's text is in English.", "Isi halaman ini dalam bahasa Inggris."),
  required: say("required", "wajib"),
  optional: say("optional", "opsional"),
  conditional: say("conditional", "bersyarat"),
  onSuccess: say("on success only", "hanya jika berhasil"),
  always: say("always", "selalu"),
  copy: say("Copy", "Salin"),
  copied: say("Copied", "Tersalin"),
  headers: say("Headers", "Header"),
  request: say("Request fields", "Field permintaan"),
  response: say("Response fields", "Field respons"),
  requestExample: say("Request", "Permintaan"),
  responseExample: say("Response", "Respons"),
  replyExample: say("Your reply", "Balasan Anda"),
  signedText: say("Text to sign", "Teks yang ditandatangani"),
  responseCases: say("Response codes", "Kode respons"),
  replyCases: say("Your replies", "Balasan Anda"),
  notifications: say("Notifications that follow", "Notifikasi yang menyusul"),
  related: say("Related", "Terkait"),
  cause: say("When", "Kapan"),
  cure: say("What to do", "Tindakan"),
  example: say("Example", "Contoh"),
  query: say("Query", "Query"),
  body: say("Body", "Body"),
  answer: say("Answer", "Jawaban"),
  notFound: say("There is no such page", "Halaman ini tidak ada"),
  noMembers: say("Nothing has to be sent.", "Tidak ada yang perlu dikirim."),
} as const;

export const groupTitles: Readonly<Record<GroupName, Text>> = {
  tokens: say("Tokens and signatures", "Token dan tanda tangan"),
  pay: say("Take a payment", "Terima pembayaran"),
  send: say("Send money", "Kirim uang"),
  ask: say("Ask what became of it", "Tanyakan hasilnya"),
  told: say("Be notified", "Terima notifikasi"),
  errors: say("Errors and rules", "Kesalahan dan aturan"),
  sandbox: say("Sandbox", "Sandbox"),
  operate: say("Operate", "Operasikan"),
};

export const groupNotes: Readonly<Record<GroupName, Text>> = {
  tokens: say(
    "Prove who calls: an access token, and a signature over every call.",
    "Buktikan pemanggil: access token, dan tanda tangan pada setiap panggilan.",
  ),
  pay: say(
    "Hold, capture, void and refund; or ask a payer to approve.",
    "Tahan, capture, void, dan kembalikan dana; atau minta persetujuan pembayar.",
  ),
  send: say(
    "Look an account up, then transfer within the bank, to other banks, or in bulk.",
    "Periksa rekening, lalu transfer dalam bank, ke bank lain, atau massal.",
  ),
  ask: say(
    "After a time-out, and for what is decided later.",
    "Setelah time-out, dan untuk hal yang diputuskan kemudian.",
  ),
  told: say("Results that are sent to you when they are final.", "Hasil yang dikirim kepada Anda ketika sudah final."),
  errors: say(
    "Each response code with cause and cure, and the rules.",
    "Setiap kode respons dengan sebab dan tindakan, serta aturannya.",
  ),
  sandbox: say("Steer the simulated world by control calls.", "Kendalikan dunia simulasi dengan panggilan kontrol."),
  operate: say("Run the service.", "Jalankan layanan."),
};
