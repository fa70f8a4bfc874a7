import { define } from "./define.ts";

export const faults = define({
  en: {
    lead: "Let a partner's next calls meet what money software must survive.",
    partner: "Partner",
    fault: "Fault",
    next: "For the next calls",
    delay: "Delay (ms)",
    operation: "Only this operation",
    anyOperation: "Any operation",
    set: "Set",
    clear: "Remove all",
    clearText: (count: number, partner: string) =>
      `${count === 1 ? "1 fault" : `${count} faults`} of ${partner} will be removed; the next calls meet none of them.`,
    setDone: "Set. The next calls will meet it.",
    current: "Set now",
    none: "No faults are set",
    left: "Left",
    names: {
      loseAnswer: "Answer lost after the commit",
      delay: "Answered late",
      error500: "Error 500",
      error503: "Error 503",
      error429: "Error 429",
      breakOff: "Connection broken off",
    },
    meanings: {
      loseAnswer: "The call is carried out, and the connection is cut without an answer.",
      delay: "The call is carried out, and answered later.",
      error500: "Nothing is carried out.",
      error503: "Nothing is carried out.",
      error429: "Nothing is carried out.",
      breakOff: "The connection is cut before anything is carried out.",
    },
  },
  id: {
    lead: "Buat panggilan mitra berikutnya mengalami apa yang harus dapat dilalui perangkat lunak uang.",
    partner: "Mitra",
    fault: "Gangguan",
    next: "Untuk panggilan berikutnya",
    delay: "Penundaan (ms)",
    operation: "Hanya operasi ini",
    anyOperation: "Operasi apa pun",
    set: "Pasang",
    clear: "Hapus semua",
    clearText: (count: number, partner: string) =>
      `${count} gangguan ${partner} akan dihapus; panggilan berikutnya tidak mengalaminya.`,
    setDone: "Terpasang. Panggilan berikutnya akan mengalaminya.",
    current: "Terpasang sekarang",
    none: "Tidak ada gangguan yang terpasang",
    left: "Sisa",
    names: {
      loseAnswer: "Jawaban hilang setelah commit",
      delay: "Dijawab terlambat",
      error500: "Kesalahan 500",
      error503: "Kesalahan 503",
      error429: "Kesalahan 429",
      breakOff: "Koneksi diputus",
    },
    meanings: {
      loseAnswer: "Panggilan dilaksanakan, lalu koneksi diputus tanpa jawaban.",
      delay: "Panggilan dilaksanakan, dan dijawab kemudian.",
      error500: "Tidak ada yang dilaksanakan.",
      error503: "Tidak ada yang dilaksanakan.",
      error429: "Tidak ada yang dilaksanakan.",
      breakOff: "Koneksi diputus sebelum apa pun dilaksanakan.",
    },
  },
});

export type FaultName = keyof ReturnType<typeof faults>["names"];

export const faultNames = Object.keys({
  loseAnswer: 0,
  delay: 0,
  error500: 0,
  error503: 0,
  error429: 0,
  breakOff: 0,
} satisfies Record<FaultName, 0>) as readonly FaultName[];

export function faultName(name: string): string {
  const known = faultNames.find((one) => one === name);
  return known ? faults().names[known] : name;
}
