/** The body of a call: a JSON file, fields given one by one, and the few things that can safely be made up. */
import { readFileSync } from "node:fs";
import { formatTimestamp, type OperationRow } from "@titian/contract";
import type { Clock } from "../../clock.ts";
import { newId, toReferenceNo } from "../../ids.ts";
import { usageError } from "../cli-error.ts";
import { nearest } from "../nearest.ts";
import { assignField, type Body, isBody } from "./assign-field.ts";

export interface BodySource {
  /** Assignments in the order given; they go over the file. */
  readonly fields: readonly string[];
  /** Name of a file, or `-` for standard input. */
  readonly json: string | undefined;
  /** Whether missing numbers of the caller's own and the date are made up. */
  readonly fills: boolean;
}

export interface BuiltBody {
  readonly body: Body;
  /** What was made up, as `name = value`. */
  readonly filled: readonly string[];
  /** What looks wrong and is sent all the same. */
  readonly warnings: readonly string[];
}

/** The caller's own numbers: a new one each time is what a new intent needs. */
const ownNumbers = ["partnerReferenceNo", "partnerCaptureNo", "partnerVoidNo", "partnerRefundNo"];

/** @throws CliError when file or assignments cannot be read. */
export function buildBody(row: OperationRow, source: BodySource, clock: Clock): BuiltBody {
  const body = source.json === undefined ? {} : readBody(source.json);
  for (const assignment of source.fields) assignField(body, assignment);
  const filled = source.fills ? fill(row, body, clock) : [];
  return { body, filled, warnings: warnOf(row, body) };
}

/** Mandatory numbers and dates only: an amount or an account is never guessed. */
function fill({ request, name }: OperationRow, body: Body, clock: Clock): readonly string[] {
  const filled: string[] = [];
  const set = (field: string, value: string) => {
    body[field] = value;
    filled.push(`${field} = ${value}`);
  };
  for (const [field, { presence }] of Object.entries(request)) {
    if (presence !== "mandatory" || body[field] !== undefined) continue;
    // A query's numbers name something that exists.
    if (ownNumbers.includes(field) && !name.endsWith("Query")) set(field, toReferenceNo(newId()));
    else if (field === "transactionDate") set(field, formatTimestamp(clock.now()));
    else if (field === "grantType") set(field, grantTypeOf(name, body));
  }
  return filled;
}

/** Service 74's goes with what is presented. */
function grantTypeOf(name: string, body: Body): string {
  if (name === "accessTokenB2b") return "client_credentials";
  return body["refreshToken"] === undefined ? "authorization_code" : "refresh_token";
}

function warnOf({ request, name }: OperationRow, body: Body): readonly string[] {
  const known = Object.keys(request);
  const unknown = Object.keys(body).filter((field) => !known.includes(field));
  const missing = known.filter((field) => request[field]?.presence === "mandatory" && body[field] === undefined);
  return [
    ...unknown.map((field) => {
      const near = nearest(field, known);
      return `${name} has no field ${field}; the service ignores it.${near === undefined ? "" : ` Did you mean ${near}?`}`;
    }),
    ...(missing.length === 0 ? [] : [`${name} needs ${missing.join(", ")} too.`]),
  ];
}

function readBody(path: string): Body {
  const where = path === "-" ? "Standard input" : path;
  const value = parse(where, read(path, where));
  if (isBody(value)) return value;
  throw usageError(`${where} holds no JSON object of the request's fields.`);
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
    throw usageError(`${where} is no JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}
