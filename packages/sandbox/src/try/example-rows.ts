/**
 * Operations with examples that succeed here: the samples of the first partner, which the console begins with too. The
 * responses beside them are the contract's, with the values of these requests where they have them.
 */
import { type Fields, type FieldType, isObject, type OperationRow, operationRows } from "@titian/contract";
import { isDatabaseAway } from "@titian/server/admin";
import { firstPartner } from "../seed-data.ts";
import { callableOperations } from "./operation-forms.ts";
import { type SampleDeps, sampleOf } from "./samples.ts";

type Values = Readonly<Record<string, unknown>>;

/** While the database is away the examples are the contract's. */
export async function listExampleRows(deps: SampleDeps): Promise<readonly OperationRow[]> {
  try {
    return await Promise.all(operationRows.map((row) => withSample(deps, row)));
  } catch (error) {
    if (isDatabaseAway(error)) return operationRows;
    throw error;
  }
}

async function withSample(deps: SampleDeps, row: OperationRow): Promise<OperationRow> {
  if (!callableOperations.includes(row)) return row;
  const { body, needs } = await sampleOf(deps, row, firstPartner);
  if (needs !== undefined) return row;
  return { ...row, example: { request: body, response: responseTo(body, row) } };
}

function responseTo(sent: Values, { request, response, example }: OperationRow): Values {
  const members = Object.entries<unknown>(example.response).flatMap(([name, value]): [string, unknown][] => {
    if (name in request && sent[name] !== undefined) return [[name, sent[name]]];
    if (!(name in request) || response[name]?.presence === "mandatory") return [[name, value]];
    const own = ofTheProvider(value, response[name]?.type);
    return own === undefined ? [] : [[name, own]];
  });
  return Object.fromEntries(members);
}

/** The members that the provider adds to a field that the request leaves out; undefined: none. */
function ofTheProvider(value: unknown, type: FieldType | undefined): Values | undefined {
  const known: Fields = (type?.kind === "any" ? type.members : undefined) ?? {};
  const members = isObject(value) ? Object.entries(value).filter(([name]) => name in known) : [];
  return members.length === 0 ? undefined : Object.fromEntries(members);
}
