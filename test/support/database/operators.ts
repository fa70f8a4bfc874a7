/** Operators of a bank's database, each at the door of a PostgreSQL role, and the statements of their acts. */
import { newId } from "../../../packages/server/src/basics/ids.ts";
import { migrate } from "../../../packages/server/src/store/schema/migrate.ts";
import { copyDatabase } from "./copy-database.ts";
import { runStatements, withClient } from "./with-client.ts";

export const issuer = "https://login.bank.example";
export const person = (name: string, databaseRole: string) =>
  JSON.stringify({ issuer, subject: name, name, databaseRole }).replaceAll("'", "''");
/** Roles of PostgreSQL belong to the whole server: names of this run's own. */
const run = newId().slice(-12);
export const [security, approver, other] = [`security_${run}`, `approver_${run}`, `other_${run}`];
/** The door of a node's console, and the role of operators with connections of their own. */
export const [door, people] = [`console_${run}`, `people_${run}`];
/** The role of break-glass. */
export const emergency = `emergency_${run}`;
const allRoles = [security, approver, other, door, people, emergency];

function asOperator(url: string, role: string): string {
  const own = new URL(url);
  own.username = role;
  own.password = "secret";
  return own.href;
}

const entriesOf = (target: string) => `${target} -100 IDR, funding:IDR 100 IDR`;
export const propose = (
  id: string,
  target = "1001",
  kind = "funding",
  after: object = { amount: "100", entries: entriesOf(target) },
  before?: object,
  reference = "",
) =>
  `select state from propose_act('${id}', '${kind}', '${target}', '${reference}', ${before === undefined ? "null" : `'${JSON.stringify(before)}'`}, '${JSON.stringify(after)}', 'a reason', null, '1 day')`;
const hashOf = (id: string) => `(select hash from act_steps where act_id = '${id}' and step = 'proposed')`;
export const approve = (id: string) => `select approve_act('${id}', ${hashOf(id)})`;
export const refuse = (id: string) => `select refuse_act('${id}', ${hashOf(id)}, 'not now')`;
export const carryOut = (id: string, target = "1001", entries = entriesOf(target)) =>
  `select carry_out_act('${id}', 'done', null, '${newId()}', '${entries}', now())`;
/** The values of the rows, as texts. */
export const ask = (url: string, text: string): Promise<readonly string[]> =>
  withClient(url, async (client) => (await client.query<string[]>({ text, rowMode: "array" })).rows.flat().map(String));
export const steps = (url: string, id: string) =>
  ask(url, `select concat_ws(' ', step, who) from act_steps where act_id = '${id}' order by position`);

/** A copy of the database with two operators, and a third that each test gives its roles. */
export async function useBank(original: string) {
  const copy = await copyDatabase(original);
  const ownerUrl = copy.url;
  await runStatements(ownerUrl, [
    ...allRoles.map(
      (role) => `do $$ begin
        if not exists (select from pg_roles where rolname = '${role}') then create role ${role} login password 'secret'; end if;
      end $$`,
    ),
    `grant titian_admin to ${security}, ${approver}, ${other}`,
    `select bootstrap_operators('${person("Sri", security)}', '${person("Adi", approver)}')`,
  ]);
  const urlOf = (role: string) => asOperator(copy.url, role);
  /** Gives the console and operators their rights on the copy. */
  const openDoor = () =>
    migrate(ownerUrl, { now: 0, consoleRole: door, operatorRole: people, emergencyRole: emergency });
  const hire = (...roles: readonly string[]) =>
    runStatements(ownerUrl, [
      `insert into operators values ('${newId()}', '${issuer}', 'Budi', 'Budi', '${other}')`,
      ...roles.map((role) => `insert into operator_roles select id, '${role}' from operators where subject = 'Budi'`),
    ]);
  return { ...copy, ownerUrl, urlOf, hire, openDoor };
}

/** After all copies are dropped. */
export async function dropOperators(url: string): Promise<void> {
  await runStatements(
    url,
    allRoles.map((role) => `drop role if exists ${role}`),
  );
}
