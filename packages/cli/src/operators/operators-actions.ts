/** Actions of `titian operators`. */
import { bootstrapOperators, listOperators, type NewOperator } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";
import { openUrl } from "../database/open-url.ts";
import { print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";
import type { BootstrapFlags } from "./operators-command.ts";

export async function bootstrap({ security, approver }: BootstrapFlags): Promise<void> {
  const people = { security: readPerson("--security", security), approver: readPerson("--approver", approver) };
  await bootstrapOperators(openUrl(), people);
  print(
    `${people.security.name} proposes operators and keys, ${people.approver.name} approves acts: titian operators list`,
  );
}

const columns = {
  name: "name",
  issuer: "issuer",
  subject: "subject",
  roles: "roles",
  databaseRole: "database role",
  state: "state",
};

export async function list({ json }: { readonly json?: true }): Promise<void> {
  const operators = await listOperators(openUrl());
  const rows = operators.map(({ isEnded, ...operator }) => ({ ...operator, state: isEnded ? "ended" : "active" }));
  if (json === true) return print(formatList({ operators }, operators));
  print(formatTable(columns, rows));
}

function readPerson(option: string, text: string): NewOperator {
  const [issuer, subject, name, databaseRole, ...rest] = text.split(",").map((part) => part.trim());
  if (!issuer || !subject || !name || !databaseRole || rest.length > 0)
    throw usageError(`${option} is four parts with commas between them: issuer, subject, name, role of the database.`);
  if (!/^https?:\/\/\S+$/.test(issuer))
    throw usageError(
      `The issuer in ${option} is the address of the identity provider, such as https://login.bank.example.`,
    );
  return { issuer, subject, name, databaseRole };
}
