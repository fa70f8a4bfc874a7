/** All that the audit asks, and the statements that ask it. */
import { accountChecks } from "./account-checks.ts";
import { actChecks } from "./act-checks.ts";
import { bulkChecks } from "./bulk-checks.ts";
import { type AuditCheck, type AuditPass, sliceRows } from "./check.ts";
import { holdChecks } from "./hold-checks.ts";
import { journalChecks } from "./journal-checks.ts";
import { paymentRequestChecks } from "./payment-request-checks.ts";
import { recordChecks } from "./record-checks.ts";
import type { Statement } from "../../postgres/session.ts";
import { transferChecks } from "./transfer-checks.ts";
import { transitChecks } from "./transit-checks.ts";

const checks: readonly AuditCheck[] = [
  ...accountChecks,
  ...journalChecks,
  ...recordChecks,
  ...actChecks,
  ...holdChecks,
  ...transferChecks,
  ...paymentRequestChecks,
  ...bulkChecks,
  ...transitChecks,
];

/** Rows are findings: check, subject, expected, found. */
export interface AuditStatement extends Statement {
  readonly pass: AuditPass;
  /** Asked only when not all is gone through, as its checks are. */
  readonly ofTouched?: true;
  /** True: it takes $4, the ids of records whose payload cannot be read, and fails where one is not named. */
  readonly readsPayload?: true;
}

const findingsOf = ({ name, text }: AuditCheck) =>
  `select '${name}', found.* from (${text}) found (subject, expected, found)`;

/** The rows of the slice are read once, by the first statement, for all checks that read them. */
export const auditStatements: readonly AuditStatement[] = [
  {
    name: "slice rows",
    pass: "journals",
    readsPayload: true,
    text: `with ${sliceRows} ${checks
      .filter(({ readsSliceRows }) => readsSliceRows)
      .map(findingsOf)
      .join(" union all ")}`,
  },
  ...checks
    .filter(({ readsSliceRows }) => !readsSliceRows)
    .map((check) => ({
      name: `${check.name} of ${check.ofTouched ? "touched" : check.pass}`,
      pass: check.pass,
      ...(check.ofTouched && { ofTouched: check.ofTouched }),
      text: findingsOf(check),
    })),
];
