/** Rails, services and the intake, which operators close. */
import { define } from "../define.ts";

export const switches = define({
  en: {
    lead: "Rails, services and the intake: their hours, and what an operator has closed. Closing takes effect at once; reopening needs an approval.",
    intakeLead: "All that takes writes from partners, on every node. Inquiries are always answered.",
    services: "Services",
    servicesLead: "What goes on with a payment that began before, such as a capture, is never closed.",
    act: "Act on it",
    outsideHours: "Outside its hours",
    closedBy: (who: string) => `Closed by ${who},`,
    notApproved: "Not approved yet: it stands, and another operator with the role approver has to approve or end it by",
    approvedBy: (who: string) => `Approved by ${who}. It stays closed until a reopening is approved.`,
    reopeningWaits: "Another operator with the role approver has to approve it by",
  },
  id: {
    lead: "Jaringan, layanan, dan penerimaan: jam operasinya, dan apa yang ditutup operator. Penutupan langsung berlaku; pembukaan kembali perlu persetujuan.",
    intakeLead: "Semua permintaan tulis dari mitra, di setiap node. Inkuiri selalu dijawab.",
    services: "Layanan",
    servicesLead: "Kelanjutan pembayaran yang sudah dimulai, misalnya penagihan, tidak pernah ditutup.",
    act: "Tindakan",
    outsideHours: "Di luar jam operasi",
    closedBy: (who: string) => `Ditutup oleh ${who},`,
    notApproved:
      "Belum disetujui: penutupan tetap berlaku, dan operator lain dengan peran penyetuju (approver) harus menyetujui atau mengakhirinya paling lambat",
    approvedBy: (who: string) => `Disetujui oleh ${who}. Tetap tertutup sampai pembukaan kembali disetujui.`,
    reopeningWaits: "Operator lain dengan peran penyetuju (approver) harus menyetujuinya paling lambat",
  },
});
