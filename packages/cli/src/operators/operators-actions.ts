/** Actions of `titian operators`. */
import { bootstrapOperators, type NewOperator } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";
import type { Answer } from "../control/call-row.ts";
import { withCalls } from "../control/with-calls.ts";
import { openUrl } from "../database/open-url.ts";
import { formatJson, note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { formatList } from "../tables/totals.ts";
import type { AddFlags, BootstrapFlags, ChangeFlags } from "./operators-command.ts";

type OperatorView = Answer<"GET /operators">["operators"][number];

export async function bootstrap({ security, approver }: BootstrapFlags): Promise<void> {
  const people = { security: readPerson("--security", security), approver: readPerson("--approver", approver) };
  await bootstrapOperators(openUrl(), people);
  print(
    `${people.security.name} proposes operators and keys, ${people.approver.name} approves acts: titian operators list`,
  );
}

export async function list({ json }: { readonly json?: true }): Promise<void> {
  const answer = await withCalls((call) => call("GET /operators"));
  if (json === true) return print(formatList(answer, answer.operators));
  show(answer.operators);
}

export async function add({ role = [], json, ...person }: AddFlags): Promise<void> {
  const body = { ...person, roles: [...role] };
  tell(await withCalls((call) => call("POST /operators", { body })), json);
}

export async function grant(who: string, role: string, flags: ChangeFlags): Promise<void> {
  const changed = await withCalls(async (call) =>
    call("POST /operators/{operatorId}/roles/{role}", {
      params: { operatorId: idOf(who, await call("GET /operators")), role },
      body: bodyOf(flags),
    }),
  );
  tell(changed, flags.json);
}

export async function take(who: string, role: string, flags: ChangeFlags): Promise<void> {
  const changed = await withCalls(async (call) =>
    call("DELETE /operators/{operatorId}/roles/{role}", {
      params: { operatorId: idOf(who, await call("GET /operators")), role },
      body: bodyOf(flags),
    }),
  );
  tell(changed, flags.json);
}

export async function end(who: string, flags: ChangeFlags): Promise<void> {
  const changed = await withCalls(async (call) =>
    call("POST /operators/{operatorId}/end", {
      params: { operatorId: idOf(who, await call("GET /operators")) },
      body: bodyOf(flags),
    }),
  );
  tell(changed, flags.json);
}

const bodyOf = ({ reason, ticket }: ChangeFlags) => ({ reason, ticket });

/** By id, or by a subject that one operator alone has. */
function idOf(who: string, { operators }: Answer<"GET /operators">): string {
  const found = operators.filter(({ id, subject }) => id === who || subject === who);
  const [one] = found;
  if (one === undefined) throw usageError(`There is no operator ${who}: titian operators list.`);
  if (found.length > 1)
    throw usageError(
      `${found.length} operators are called ${who}: give the id, as titian operators list --json shows it.`,
    );
  return one.id;
}

const columns = {
  name: "name",
  issuer: "issuer",
  subject: "subject",
  roles: "roles",
  databaseRole: "database role",
  state: "state",
};

function tell(changed: OperatorView, json: true | undefined): void {
  if (json === true) return print(formatJson(changed));
  show([changed]);
  if (changed.note !== undefined) note(`\n${changed.note}`);
}

function show(operators: readonly OperatorView[]): void {
  const rows = operators.map(({ isEnded, ...operator }) => ({ ...operator, state: isEnded ? "ended" : "active" }));
  print(formatTable(columns, rows));
}

function readPerson(option: string, text: string): NewOperator {
  const [issuer, subject, name, databaseRole, ...rest] = text.split(",").map((part) => part.trim());
  if (!issuer || !subject || !name || databaseRole === "" || rest.length > 0)
    throw usageError(
      `${option} is three or four parts with commas between them: issuer, subject, name, role of the database.`,
    );
  if (!/^https?:\/\/\S+$/.test(issuer))
    throw usageError(
      `The issuer in ${option} is the address of the identity provider, such as https://login.bank.example.`,
    );
  return { issuer, subject, name, ...(databaseRole !== undefined && { databaseRole }) };
}
