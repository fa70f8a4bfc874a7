/** `titian audit`: recomputes the ledger from its entries, while it is in use. */
import type { Command } from "commander";
import type { AuditFlags } from "./run-audit.ts";
import type { End } from "../cli-error.ts";
import { collect } from "../options/collect.ts";

const examples = `
Audits the database of DATABASE_URL, or that of the running sandbox: by the role of audits (titian migrate --audit-role), which
writes no table. It reads in slices of at most 2 s and may run while
calls are served: each session takes a core of the database's machine. A clean audit stores its position; the next one
reads what was committed since, with the accounts, holds and transfers it changed. Only --full finds manual changes of
older rows. What was recorded of detached partitions is verified with TITIAN_PROVIDER_KEY, or a public key of it.

Examples:
  titian audit
  titian audit --full
  titian audit --full --sessions 4
  titian audit --public-key provider.pem
  DATABASE_URL=postgres://… titian audit --json

Exit codes: 0 no findings, 1 findings. What could not be checked is printed, and is no finding.`;

export function addAudit(program: Command, end: End): void {
  program
    .command("audit")
    .description("recompute balances, journals and records, and list the differences")
    .option("--full", "from the first entry, not from the position of the last clean audit")
    .option("--sessions <n>", "sessions that read at once, 1 to 8; more are faster, and take more from calls", "1")
    .option(
      "--public-key <file>",
      "a public key of the provider, in PEM: a former one, or where TITIAN_PROVIDER_KEY is not set; repeatable",
      collect,
    )
    .option("--json", "the report as JSON")
    .option("--sandbox-file <path>", "default: sandbox.json in TITIAN_DATA_DIR (.titian)")
    .addHelpText("after", examples)
    .action(async (flags: AuditFlags) => {
      const { audit } = await import("./run-audit.ts");
      end(await audit(flags));
    });
}
