/** The audit of the whole ledger. */
import { array, boolean, object, optional, string } from "@titian/contract";
import type { AuditReport } from "@titian/server/admin";
import { defineCall } from "../rows/define-call.ts";

export interface AuditCallsDeps {
  readonly audit: () => Promise<AuditReport>;
}

export const auditCalls = [
  defineCall({
    name: "audit",
    route: "GET /audit",
    role: "auditor",
    does: "Recomputes the whole ledger, as `titian audit` does.",
    answer: object({
      ok: boolean(),
      findings: array(object({ check: string(), subject: string(), expected: string(), found: string() })),
      unchecked: optional(array(string(), { description: "what could not be checked, and why" })),
    }),
    run: (_input, { audit }: AuditCallsDeps) => audit(),
  }),
] as const;
