// Goal: the document allows exactly what is read, and its examples fit it. Method: requests whose fields
// are valid, absent, blank or spoiled at random, by the document's schema and by the reader.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type DescribedSchema, withoutReferences } from "../../../../test/support/open-api-schema.ts";
import { sampleFields } from "../../test/samples.ts";
import type { Fields } from "../fields/field-type.ts";
import { type OperationRow, operationRows } from "../operations.ts";
import { readRequest } from "../reading/read-request.ts";
import { findCurrencyConflict } from "../reading/same-currency.ts";
import { fits } from "../reading/schema-faults.ts";
import { createOpenApi } from "./create-open-api.ts";
import type { JsonSchema } from "./schemas.ts";

const { paths, webhooks, components } = createOpenApi({ pathPrefix: "", version: "v1.0" });
const schemas = components["schemas"] as Readonly<Record<string, DescribedSchema>>;
const checkOf = (schema: DescribedSchema) => {
  const whole = withoutReferences(schema, schemas);
  return (value: unknown): boolean => fits(whole, value);
};

interface Described {
  readonly requestBody: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
}
interface Content {
  readonly "application/json": {
    readonly schema: DescribedSchema;
    readonly examples: Readonly<Record<string, { readonly value: { readonly responseCode?: string } }>>;
  };
}
const described = (row: OperationRow): Described => {
  const item = row.direction === "toPartner" ? webhooks[row.name] : paths[`/v1.0/${row.path}`];
  return item?.["post"] as unknown as Described;
};

const texts = [
  ["", " \t", "TRUE", "True", "OUR", "our", "1", "014", "CENAIDJA", "cenaidja", "IDR", "idr", "ABC", "00", "2001700"],
  [" a@b ", "-", " - ", "--", "a@b\n", `${"a".repeat(50)}@b`, "88_01", "8801 ", "88 0/1", "a@b\u00a0"],
  ["a@b", "a@@b", "x".repeat(34), "x".repeat(65), "✓".repeat(64), " a ", "Authorization_Code", "client_credentials"],
  ["a\u0000", "a\u0085", "a\u202eb", "a\ufffe", "\u{1f600}", "2026-11-21T10:00:00", "2026-11-21T10:00:00.123456789Z"],
  ["1899-01-01T00:00:00Z", "2026-13-01T00:00:00Z", "2026-11-21T24:00:00Z", "2026-11-21T10:00Z", "2026-11-21t10:00:00z"],
].flat();
const amounts = ["1", "1.5", "1.555", "-1", "", " ", null, 1, undefined].flatMap((value) =>
  ["IDR", "idr", "", undefined].map((currency) => ({ value, currency })),
);
const odd = fc.oneof(
  fc.constantFrom<unknown>(undefined, null, 0, true, {}, [], [{}]),
  fc.constantFrom(...texts),
  fc.constantFrom(...amounts),
);

/** A request with one to three of its fields, or of an entry of its lists, replaced. */
function spoiled(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(fields);
  return fc.array(fc.tuple(fc.constantFrom(...names), odd), { minLength: 1, maxLength: 3 }).map((changes) => {
    const request = sampleFields(fields);
    for (const [name, value] of changes) request[name] = value;
    for (const [name, value] of Object.entries(request)) if (value === undefined) delete request[name];
    return request;
  });
}

/** 74 looks for the secret that the grant is about after everything else. */
function lacksSecret({ grantType, authCode, refreshToken }: Readonly<Record<string, unknown>>): boolean {
  return (grantType === "refresh_token" ? refreshToken : authCode) === undefined;
}

for (const row of operationRows) {
  test(`${row.code}: the schema of the request allows what is read, and nothing else`, () => {
    const allows = checkOf(described(row).requestBody.content["application/json"].schema);
    assert.ok(allows(row.example.request));
    fc.assert(
      fc.property(spoiled(row.request), (request) => {
        // That currencies agree is said in words.
        if (findCurrencyConflict(request) !== undefined) return;
        const read = readRequest(row, request);
        const isRight = read.ok && !(row.code === "74" && lacksSecret(read.value));
        assert.equal(allows(request), isRight, JSON.stringify(request));
      }),
      { numRuns: 300 },
    );
  });

  test(`${row.code}: each example has its status and fits its schema`, () => {
    for (const [status, { content }] of Object.entries(described(row).responses)) {
      const { schema, examples } = content["application/json"];
      const allows = checkOf(schema);
      for (const [name, { value }] of Object.entries(examples)) {
        assert.ok(allows(value), `${name}: ${JSON.stringify(value)}`);
        assert.equal(value.responseCode?.slice(0, 5), `${status}${row.code}`, name);
      }
    }
  });
}

test("mandatory texts of a response that may be empty have no shortest length", () => {
  for (const name of ["StatusInquiryBankResponse", "StatusInquiryNonBankResponse"]) {
    const { description: _, ...schema } = (schemas[name]?.properties?.["referenceNumber"] ?? {}) as JsonSchema;
    assert.deepEqual(schema, { type: "string", maxLength: 30 });
    assert.ok(!("minLength" in (schemas[name]?.properties?.["beneficiaryAccountNo"] ?? { minLength: 1 })));
  }
});

test("the 202 of an interbank transfer (18) has a response of its own, and repeats carry the first response and the status", () => {
  const { responses } = described(operationRows.find(({ code }) => code === "18") as OperationRow);
  const pending = responses["202"]?.content["application/json"];
  assert.deepEqual(pending?.schema, { $ref: "#/components/schemas/InterbankTransferResponse" });
  const value = pending?.examples["requestInProgress"]?.value as Record<string, unknown>;
  assert.ok("referenceNo" in value && value["responseCode"] === "2021800");
  const conflict = responses["409"]?.content["application/json"].examples["conflict"]?.value ?? {};
  const { additionalInfo = {} } = conflict as { readonly additionalInfo?: object };
  assert.deepEqual(Object.keys(additionalInfo), ["originalResponse", "latestTransactionStatus"]);
});
