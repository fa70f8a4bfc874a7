/** Documents of the repository that the reference shows, each with its place and its title in both languages. */
import type { OperationRow } from "@titian/contract";
import type { Language, Text } from "../languages.ts";
import type { GroupName } from "../site.ts";

export interface ShownDocument {
  /** In the repository, in English. */
  readonly file: string;
  /** The document in Indonesian, where there is one. */
  readonly translation?: string;
  /** Behind `/docs/`. */
  readonly path: string;
  readonly title: Text;
  readonly note: Text;
  readonly group: GroupName;
  /** True: for those who run or try the service, shown by the sandbox alone. */
  readonly isOfSandbox: boolean;
  /** Operations beside which it stands. */
  readonly concerns: (row: OperationRow) => boolean;
}

const nobody = (): boolean => false;
const isCall = ({ direction }: OperationRow): boolean => direction === "toProvider";
const isNotified = ({ kind, about }: OperationRow): boolean =>
  kind === "notification" || about.notifiedBy !== undefined;
const isAbout =
  (...nouns: readonly string[]) =>
  ({ about }: OperationRow): boolean =>
    nouns.includes(about.noun);

type Place = Pick<ShownDocument, "group" | "isOfSandbox" | "concerns" | "translation">;

/** The file that a page shows in a language. */
export const fileIn = ({ file, translation = file }: ShownDocument, language: Language): string =>
  language === "id" ? translation : file;

const entry = (path: string, title: Text, note: Text, place: Place): ShownDocument => ({
  file: path === "client" ? "packages/client/README.md" : `docs/${path}.md`,
  path,
  title,
  note,
  ...place,
});

const partner = (group: GroupName, concerns: ShownDocument["concerns"]): Place => ({
  group,
  concerns,
  isOfSandbox: false,
});
const ofSandbox = (group: GroupName): Place => ({ group, concerns: nobody, isOfSandbox: true });
const say = (en: string, id: string): Text => ({ en, id });

/** In the order in which a group lists them. */
export const shownDocuments: readonly ShownDocument[] = [
  entry(
    "guides/signing",
    say("Request signing", "Penandatanganan permintaan"),
    say("Signatures and tokens, with curl and openssl", "Tanda tangan dan token, dengan curl dan openssl"),
    { ...partner("tokens", isCall), translation: "docs/guides/id/penandatanganan.md" },
  ),
  entry(
    "client",
    say("Client library", "Pustaka klien"),
    say(
      "One typed method for each operation, in TypeScript",
      "Satu metode bertipe untuk setiap operasi, dalam TypeScript",
    ),
    partner("tokens", nobody),
  ),
  entry(
    "guides/payments",
    say("Authorized payments", "Pembayaran dengan otorisasi"),
    say("Hold, capture, void, refund", "Tahan, capture, void, kembalikan dana"),
    partner("pay", isAbout("hold")),
  ),
  entry(
    "guides/payment-requests",
    say("Payment requests", "Permintaan pembayaran"),
    say("Approval and decline, collecting from many payers", "Persetujuan dan penolakan, penagihan ke banyak pembayar"),
    partner("pay", isAbout("paymentRequest")),
  ),
  entry(
    "guides/transfers",
    say("Transfers", "Transfer"),
    say("Within the bank, to other banks, by RTGS and SKNBI", "Dalam bank, ke bank lain, melalui RTGS dan SKNBI"),
    partner("send", isAbout("transfer", "account")),
  ),
  entry(
    "guides/bulk-transfers",
    say("Bulk transfers", "Transfer massal"),
    say("Payroll, results of each item, items to pay again", "Penggajian, hasil setiap item, item yang dibayar ulang"),
    partner("send", isAbout("bulk")),
  ),
  entry(
    "guides/idempotency",
    say("Repeating a write after a time-out", "Mengulang setelah time-out"),
    say("One effect, however often a call is sent", "Satu efek, berapa kali pun panggilan dikirim"),
    partner("ask", ({ kind, about }) => kind === "write" || (kind === "read" && about.noun !== "account")),
  ),
  entry(
    "reference/states",
    say("States", "Keadaan"),
    say("What may follow what, of holds, transfers and requests", "Urutan keadaan hold, transfer, dan permintaan"),
    partner("ask", ({ about }) => about.noun === "hold" || about.noun === "paymentRequest" || about.rail !== undefined),
  ),
  entry(
    "guides/receiving-notifications",
    say("Receiving notifications", "Menerima notifikasi"),
    say("A receiver, and verification in five languages", "Penerima, dan verifikasi dalam lima bahasa"),
    partner("told", isNotified),
  ),
  entry(
    "reference/notifications",
    say("What is sent when", "Apa yang dikirim dan kapan"),
    say("Signatures, attempts, replay", "Tanda tangan, percobaan, pengiriman ulang"),
    partner("told", isNotified),
  ),
  entry(
    "guides/refused-calls",
    say("Why a call was rejected", "Mengapa panggilan ditolak"),
    say("Ways to the mistake in a call", "Cara menemukan kesalahan dalam panggilan"),
    { ...partner("errors", isCall), translation: "docs/guides/id/penolakan.md" },
  ),
  entry(
    "specification",
    say("Specification", "Spesifikasi"),
    say("The rules, D1 to D20", "Aturan, D1 sampai D20"),
    partner("errors", nobody),
  ),
  entry(
    "guides/sandbox",
    say("Sandbox", "Sandbox"),
    say("Start, seed data, simulated rails, clock", "Mulai, data awal, jaringan simulasi, jam"),
    ofSandbox("sandbox"),
  ),
  entry(
    "guides/in-your-bank",
    say("Titian in your bank", "Titian di bank Anda"),
    say(
      "Beside a core banking system, what is missing, what it costs",
      "Di samping sistem core banking, apa yang belum ada, biayanya",
    ),
    ofSandbox("operate"),
  ),
  entry(
    "guides/operating",
    say("Operating", "Pengoperasian"),
    say("Production, from onboarding to restore", "Produksi, dari onboarding sampai pemulihan"),
    ofSandbox("operate"),
  ),
  entry(
    "guides/database-growth",
    say("Database growth", "Pertumbuhan basis data"),
    say("What grows and what is put away", "Yang tumbuh dan yang disimpan terpisah"),
    ofSandbox("operate"),
  ),
  entry(
    "reference/settings",
    say("Settings", "Setelan"),
    say("Every setting with range and default", "Setiap setelan dengan rentang dan nilai bawaan"),
    ofSandbox("operate"),
  ),
  entry(
    "reference/rails",
    say("Rails", "Jaringan"),
    say("Connecting and writing a rail", "Menghubungkan dan menulis jaringan"),
    ofSandbox("operate"),
  ),
  entry(
    "reference/metrics",
    say("Metrics", "Metrik"),
    say("Every metric, and when to look", "Setiap metrik, dan kapan melihatnya"),
    ofSandbox("operate"),
  ),
  entry(
    "reference/log-events",
    say("Log events", "Peristiwa log"),
    say("Every event of the log", "Setiap peristiwa log"),
    ofSandbox("operate"),
  ),
  entry(
    "reference/engine",
    say("Write path", "Jalur tulis"),
    say("Commands, batches, confirmed commits", "Perintah, batch, commit terkonfirmasi"),
    ofSandbox("operate"),
  ),
];
