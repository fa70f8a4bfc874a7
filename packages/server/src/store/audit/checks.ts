/** All that the audit asks. */
import { accountChecks } from "./account-checks.ts";
import { bulkChecks } from "./bulk-checks.ts";
import type { AuditCheck } from "./check.ts";
import { holdChecks } from "./hold-checks.ts";
import { journalChecks } from "./journal-checks.ts";
import { paymentRequestChecks } from "./payment-request-checks.ts";
import { recordChecks } from "./record-checks.ts";
import { transferChecks } from "./transfer-checks.ts";

export const auditChecks: readonly AuditCheck[] = [
  ...accountChecks,
  ...journalChecks,
  ...recordChecks,
  ...holdChecks,
  ...transferChecks,
  ...paymentRequestChecks,
  ...bulkChecks,
];
