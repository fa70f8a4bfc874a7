import assert from "node:assert/strict";
import { test } from "node:test";
import { splitStatements } from "./split-statements.ts";

test("statements end at a semicolon that is in no text, name, comment or body", () => {
  const statements = [
    `select ';', "a;b", 'it''s'`,
    "create function f() returns int language plpgsql as $$ begin return 1; end $$",
    "do $body$ begin perform '$$;$$'; end $body$",
    "select 1 - 2 / 3",
  ];
  const sql = `-- one; two\n${statements.join(";\n/* a; b */\n")};\n-- the end;`;
  assert.deepEqual(splitStatements(sql), statements);
});

test("a migration whose statements cannot be told apart is not run in part", () => {
  const rows = [
    [String.raw`select 1; select e'it\'s;'`, /cannot have e'/],
    [String.raw`select E'\n'`, /cannot have E'/],
    ["/* a /* b; */ c; */ select 1", /cannot have \/\* a \/\*/],
    ["create function f() returns int begin atomic select 1; end", /cannot have begin atomic/],
  ] as const;
  for (const [sql, message] of rows) assert.throws(() => splitStatements(sql), message, sql);
});
