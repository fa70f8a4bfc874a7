/** Action of `titian sandbox credentials`. */
import { formatJson, note, print } from "../output.ts";
import { readSandboxFile, type SandboxFile, sandboxFilePath } from "./sandbox-file.ts";
import { amountColumn, formatTable } from "../tables/table.ts";

export interface CredentialsFlags {
  readonly json?: true;
  readonly showSecrets?: true;
  readonly sandboxFile?: string;
}

const hidden = "(hidden; --show-secrets shows it)";

export function showCredentials({ json, showSecrets, sandboxFile }: CredentialsFlags): void {
  const path = sandboxFilePath(sandboxFile);
  const file = readSandboxFile(path);
  if (json === true) {
    print(formatJson(showSecrets === true ? file : hideSecrets(file)));
    return;
  }
  print(`Service ${file.baseUrl}${file.pathPrefix}/${file.version}, bank code ${file.bankCode}`);
  for (const [title, table] of tablesOf(file)) print(`\n${title}\n${table}`);
  if (showSecrets === true) showKeys(file);
  else note(`\nSecrets and keys are in ${path}; --show-secrets shows them.`);
}

function tablesOf({ partners, accounts, merchants, scenarios }: SandboxFile): readonly (readonly [string, string])[] {
  const partnerColumns = {
    partnerId: "partner",
    clientKey: "client key",
    channelId: "channel",
    signing: "signing",
    sourceAccounts: "may debit",
    merchants: "merchants",
  };
  const accountColumns = { accountNo: "account", name: "name", currency: "currency", status: "status", type: "type" };
  const merchantColumns = {
    merchantId: "merchant",
    settlementAccountNo: "settlement account",
    payerAccountNo: "payer account",
    defaultHoldAmount: amountColumn("default hold"),
  };
  const scenarioColumns = {
    beneficiaryBankCode: "bank",
    beneficiaryAccountNo: "beneficiary account",
    outcome: "outcome",
    response: "response of 18",
  };
  // Written as in the documentation: the service code goes between.
  const outcomes = scenarios.map((one) => ({ ...one, response: one.responseCase.replace(/^(\d{3})/, "$1xx") }));
  return [
    ["Partners", formatTable(partnerColumns, partners)],
    ["Accounts", formatTable(accountColumns, accounts)],
    ["Merchants", formatTable(merchantColumns, merchants)],
    ["Beneficiary accounts with simulated outcomes", formatTable(scenarioColumns, outcomes)],
  ];
}

function showKeys({ partners, controlToken, databaseUrl, administrationUrl = databaseUrl }: SandboxFile): void {
  print(`\nControl token  ${controlToken}\nDatabase       ${databaseUrl}\nAdministration ${administrationUrl}`);
  for (const { partnerId, clientSecret, privateKey } of partners) {
    print(`\n${partnerId}\nclient secret  ${clientSecret ?? "none"}\n${privateKey.trimEnd()}`);
  }
}

function hideSecrets(file: SandboxFile): SandboxFile {
  return {
    ...file,
    controlToken: hidden,
    databaseUrl: hidden,
    administrationUrl: hidden,
    partners: file.partners.map((partner) => ({ ...partner, clientSecret: hidden, privateKey: hidden })),
  };
}
