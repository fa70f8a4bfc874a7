/** Help that `titian call --help` adds to its options. */
import { describeOperation } from "./describe-operation.ts";
import { findOperation, listOperations } from "./find-operation.ts";

const examples = `
Operations:
${listOperations().replaceAll(/^/gm, "  ")}

Examples:
  titian call internalAccountInquiry --field beneficiaryAccountNo=1001000001
  titian call 17 --field sourceAccountNo=1001000001 --field beneficiaryAccountNo=1009000001 \\
      --field amount.value=250000.00 --field amount.currency=IDR
  titian call 18 --field sourceAccountNo=1001000001 --field beneficiaryBankCode=014 \\
      --field beneficiaryAccountNo=8800000001 --field beneficiaryAccountName="Ratna Kusuma" \\
      --field amount.value=250000.00 --field amount.currency=IDR
  titian call transfer/status --field serviceCode=17 --field originalReferenceNo=… | jq -r .latestTransactionStatus
  titian call intrabankTransfer --json transfer.json --external-id 2026112100000001
  titian call intrabankTransfer --json transfer.json --dry-run
  titian call intrabankTransfer --help

The response goes to standard output, everything else to standard error.
Exit codes: 0 success, 1 rejected or failed, 2 invalid command line, 3 outcome unknown (repeat with the same id).`;

/** The fields of the operation given with --help, else the list of operations. */
export function helpOf(args: readonly string[]): string {
  const operation = args.find((argument) => !argument.startsWith("-"));
  return operation === undefined ? examples : `\n${describeOperation(findOperation(operation))}`;
}
