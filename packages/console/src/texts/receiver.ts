import { define } from "./define.ts";

export const receiver = define({
  en: {
    title: (partner: string) => `Receiver of ${partner}`,
    lead: "A test notification shows whether the receiver verifies the signature, and which usual mistake it makes if not. It books nothing.",
    test: "Test the receiver",
    last: "Last test",
    never: "Not tested yet.",
    accepted: "accepted",
  },
  id: {
    title: (partner: string) => `Penerima ${partner}`,
    lead: "Notifikasi uji menunjukkan apakah penerima memverifikasi tanda tangan, dan kesalahan umum mana yang dibuatnya bila tidak. Tidak ada yang dibukukan.",
    test: "Uji penerima",
    last: "Uji terakhir",
    never: "Belum diuji.",
    accepted: "diterima",
  },
});
