// Facts by which a call's database is found: every one names a field of the request of its row.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type OperationRow, operationRows } from "@titian/contract";

const rows: readonly OperationRow[] = operationRows.filter(({ kind }) => kind === "write" || kind === "read");

for (const { name, request, about } of rows) {
  test(`${name}: what places it are text fields of the request, or a member that is read`, () => {
    const { placedBy } = about;
    assert.ok(placedBy);
    const named =
      "numbers" in placedBy
        ? placedBy.numbers
        : "account" in placedBy
          ? [placedBy.account, placedBy.bank]
          : [placedBy.payer, placedBy.payee, placedBy.payeeBank];
    for (const path of named) {
      if (path === undefined) continue;
      const [field = "", member] = path.split(".");
      const type = member === undefined ? request[field]?.type : about.members?.[member];
      assert.equal(type?.kind, "text", path);
    }
  });
}

test("every write names its payer or our number of what it changes", () => {
  for (const { name, kind, about } of rows) {
    const { placedBy } = about;
    if (kind === "write") assert.ok(placedBy && ("payer" in placedBy || "numbers" in placedBy), name);
  }
});
