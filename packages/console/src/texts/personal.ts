import { define } from "./define.ts";

export const personal = define({
  en: {
    masked: "Personal data is masked",
    maskedLead:
      "Names, account numbers and free text of this record are shown for a reason, to you alone and for 15 minutes.",
    maskedForRole:
      "Names, account numbers and free text are shown to the roles support, operator and approver, for a reason.",
    unmask: "Unmask",
    unmaskText: "Your reason is recorded with your name, and so is each look at the record in the next 15 minutes.",
  },
  id: {
    masked: "Data pribadi disamarkan",
    maskedLead:
      "Nama, nomor rekening, dan teks bebas catatan ini ditampilkan bila ada alasan, hanya kepada Anda dan selama 15 menit.",
    maskedForRole:
      "Nama, nomor rekening, dan teks bebas ditampilkan kepada peran support, operator, dan approver, bila ada alasan.",
    unmask: "Tampilkan",
    unmaskText:
      "Alasan dicatat bersama nama Anda, begitu juga setiap kali catatan ini dilihat dalam 15 menit berikutnya.",
  },
});
