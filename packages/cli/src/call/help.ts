/** Help that `titian call --help` adds to its options. */
import { describeOperation } from "./describe-operation.ts";
import { findOperation, listOperations } from "./find-operation.ts";

const examples = `
Operations:
${listOperations().replaceAll(/^/gm, "  ")}

Examples:
  titian call internalAccountInquiry -f beneficiaryAccountNo=1001000001
  titian call 17 -f sourceAccountNo=1001000001 -f beneficiaryAccountNo=1009000001 -f amount=250000
  titian call 18 -f sourceAccountNo=1001000001 -f beneficiaryBankCode=014 \\
      -f beneficiaryAccountNo=8800000001 -f beneficiaryAccountName="Ratna Kusuma" -f amount=250000
  titian call transfer/status -f serviceCode=17 -f originalReferenceNo=… | jq -r .latestTransactionStatus
  titian call intrabankTransfer --json transfer.json --external-id 2026112100000001
  titian call intrabankTransfer --json transfer.json --dry-run
  titian call intrabankTransfer --help

An amount is amount=250000 for rupiah, else amount.value=10.50 and amount.currency=USD.

The response goes to standard output, everything else to standard error.
Exit codes: 0 success, 1 rejected or failed, 2 invalid command line, 3 outcome unknown (repeat with the same id).`;

/** The fields of the operation given with --help, else the list of operations. */
export function helpOf(args: readonly string[]): string {
  const operation = args.find((argument) => !argument.startsWith("-"));
  return operation === undefined ? examples : `\n${describeOperation(findOperation(operation))}`;
}
