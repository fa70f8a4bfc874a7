/** The body of a call: a JSON file, `--field` assignments, and generated values. */
import { readFileSync } from "node:fs";
import { formatTimestamp, type OperationRow } from "@titian/contract";
import { newId, toReferenceNo, type Clock } from "@titian/server/admin";
import { nearest } from "@titian/explain/nearest";
import { usageError } from "../cli-error.ts";
import { assignField, type Body, isBody } from "./assign-field.ts";
import { textReader } from "./read-field-text.ts";

export interface BodySource {
  /** Assignments in order; they override the file. */
  readonly fields: readonly string[];
  /** A file, or `-` for standard input. */
  readonly json: string | undefined;
  /** True: missing reference numbers and the date are generated. */
  readonly fills: boolean;
}

export interface BuiltBody {
  readonly body: Body;
  /** Generated values, as `name = value`. */
  readonly filled: readonly string[];
  /** Probable mistakes, which are sent nevertheless. */
  readonly warnings: readonly string[];
}

/** @throws CliError for an invalid file or assignment. */
export function buildBody(row: OperationRow, source: BodySource, clock: Clock): BuiltBody {
  const body = source.json === undefined ? {} : readBody(source.json);
  const readText = textReader(row.request);
  for (const assignment of source.fields) assignField(body, assignment, readText);
  const filled = source.fills ? fill(row, body, clock) : [];
  return { body, filled, warnings: warningsOf(row, body) };
}

/** The partner's number and dates only where they are mandatory, never an amount or an account. */
function fill({ request, about }: OperationRow, body: Body, clock: Clock): readonly string[] {
  const filled: string[] = [];
  const set = (field: string, value: string) => {
    body[field] = value;
    filled.push(`${field} = ${value}`);
  };
  for (const [field, { presence }] of Object.entries(request)) {
    if (presence !== "mandatory" || body[field] !== undefined) continue;
    if (field === about.partnerNumber) set(field, toReferenceNo(newId()));
    else if (field === "transactionDate") set(field, formatTimestamp(clock.now()));
    else if (field === "grantType") set(field, grantTypeOf(request, body));
  }
  return filled;
}

/** Grant type of a customer's token, by the credential given. */
function grantTypeOf(request: OperationRow["request"], body: Body): string {
  if (!("authCode" in request)) return "client_credentials";
  return body["refreshToken"] === undefined ? "authorization_code" : "refresh_token";
}

function warningsOf({ request, name }: OperationRow, body: Body): readonly string[] {
  const known = Object.keys(request);
  const unknown = Object.keys(body).filter((field) => !known.includes(field));
  const missing = known.filter((field) => request[field]?.presence === "mandatory" && body[field] === undefined);
  return [
    ...unknown.map((field) => {
      const near = nearest(field, known);
      return `${name} has no field ${field}; the service ignores it.${near === undefined ? "" : ` Did you mean ${near}?`}`;
    }),
    ...(missing.length === 0 ? [] : [`${name} also needs ${missing.join(", ")}.`]),
  ];
}

function readBody(path: string): Body {
  const where = path === "-" ? "Standard input" : path;
  const value = parse(where, read(path, where));
  if (isBody(value)) return value;
  throw usageError(`${where} is not a JSON object of the request's fields.`);
}

function read(path: string, where: string): string {
  try {
    // Descriptor 0 is standard input.
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (error) {
    throw usageError(`${where} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function parse(where: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw usageError(`${where} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
