/** Goal: each kind of drift is seen, with its place, and what agrees is left alone. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { checkAdrs } from "./adr.ts";
import { checkContainers } from "./containers.ts";
import { readDocuments, type Document, type Drift } from "./document.ts";
import { checkDrawings, redraw } from "./drawing.ts";
import { checkNodeVersions } from "./node-versions.ts";
import { checkOperations } from "./operations-table.ts";
import { checkCommands, checkFileNames, checkLinks, checkSettings } from "./references.ts";
import { checkRegister, writeRegister } from "./register.ts";
import { drawMachine, type Machine } from "./states.ts";

const root = mkdtempSync(join(tmpdir(), "titian-docs-"));
after(() => rmSync(root, { recursive: true }));
mkdirSync(join(root, "docs", "adr"), { recursive: true });
writeFileSync(join(root, "docs", "glossary.md"), "# Glossary\n\n## Ledger balance\n");

function page(text: string, path = "README.md"): Document {
  return { path, lines: text.split("\n") };
}

const places = (drifts: readonly Drift[]) => drifts.map(({ line, message }) => `${line}: ${message}`);

test("documents are found where people look for them", () => {
  assert.deepEqual(
    readDocuments(root).map(({ path }) => path),
    ["docs/glossary.md"],
  );
});

test("a command that does not exist", () => {
  const documents = [page("run `npm run check`\nor `npm run chekc -- --all`")];
  assert.deepEqual(places(checkCommands(documents, ["check"])), ["2: there is no `npm run chekc` in package.json"]);
});

test("a link to nowhere, and to a heading that is not there", () => {
  const text = [
    "[a](docs/glossary.md) [b](docs/glossary.md#ledger-balance) [c](#here) [d](https://example.com/x)",
    "# Here",
    "[e](docs/gone.md)",
    "[f](docs/glossary.md#gone)",
  ];
  const documents = [page(text.join("\n")), ...readDocuments(root)];
  assert.deepEqual(places(checkLinks(documents, root)), [
    "3: the link leads nowhere: docs/gone.md",
    "4: docs/glossary.md has no heading #gone",
  ]);
});

test("a file that does not exist", () => {
  const documents = [page("`docs/glossary.md` and `docs/gone.md`, but not `docs/<any>.md`")];
  assert.deepEqual(places(checkFileNames(documents, root)), ["1: there is no docs/gone.md"]);
});

test("a Node that no package needs, and a README that does not say which its package needs", () => {
  const documents = [
    page("Node 20.19 or newer"),
    page("Node 22.19 or\nnewer, Node 22 and later", "packages/a/README.md"),
  ];
  const engines = [
    { directory: ".", engine: ">=20.19.0" },
    { directory: "packages/a", engine: ">=24.0.0" },
    { directory: "packages/b", engine: "24" },
  ];
  assert.deepEqual(places(checkNodeVersions(documents, engines)), [
    "2: no package has Node 22 as the oldest in its `engines`",
    '1: it does not say "Node 24 or newer", as `engines` does',
    "1: package.json has no `engines.node` as >=24.0.0",
  ]);
});

test("a setting that config.ts does not read", () => {
  const documents = [page("`TITIAN_DATA_DIR`, `TITIAN_DATADIR`")];
  assert.deepEqual(places(checkSettings(documents, "TITIAN_DATA_DIR: text")), [
    "1: no setting is called TITIAN_DATADIR",
  ]);
});

const transfer = { code: "17", name: "intrabankTransfer", path: "transfer-intrabank", works: true };
const capture = { code: "65", name: "authCapture", path: "auth/capture", works: false };
const notice = { code: "76", name: "rtgsNotification", path: "transfer-rtgs/notify", works: undefined };

const tables = [
  {
    name: "a table that agrees",
    rows: [
      "| 17 | intrabankTransfer | `transfer-intrabank` | works, for all |",
      "| 65 | authCapture | `auth/capture` | to come |",
    ],
    drifts: [],
  },
  {
    name: "another path",
    rows: ["| 17 | intrabankTransfer | `transfer` | works |", "| 65 | authCapture | `auth/capture` | to come |"],
    drifts: ["1: the contract calls 17 intrabankTransfer, at transfer-intrabank"],
  },
  {
    name: "another state",
    rows: [
      "| 17 | intrabankTransfer | `transfer-intrabank` | to come |",
      "| 65 | authCapture | `auth/capture` | works |",
    ],
    drifts: ["1: intrabankTransfer works by now", "2: authCapture is still to come"],
  },
  {
    name: "a row twice, and one missing",
    rows: [
      "| 17 | intrabankTransfer | `transfer-intrabank` | works |",
      "| 17 | intrabankTransfer | `transfer-intrabank` | works |",
    ],
    drifts: [
      "2: the contract has no such operation, or the table has it twice",
      "2: operation 65 (authCapture) is missing from the table",
    ],
  },
];

for (const { name, rows, drifts } of tables) {
  test(`README's operations: ${name}`, () => {
    const readme = page([...rows, "| 76 | rtgsNotification | `transfer-rtgs/notify` | sent |"].join("\n"));
    const shifted = drifts.map((drift) => drift.replace("2: operation", "3: operation"));
    assert.deepEqual(places(checkOperations(readme, [transfer, capture, notice])), shifted);
  });
}

const whole = { question: "How long?", decision: "D7: 24 hours", setting: null, test: "docs/glossary.md" };

const inRegister = (...entries: unknown[]) => places(checkRegister(writeRegister(entries), root));

test("a register whose entries are whole", () => {
  assert.deepEqual(inRegister(whole, { ...whole, test: ["docs/glossary.md#Ledger balance", "docs/glossary.md"] }), []);
});

test("a register's entry without a test says why", () => {
  const without = { ...whole, test: null };
  assert.deepEqual(inRegister({ ...without, state: "to come" }, { ...without, state: "nothing to test" }), []);
  assert.deepEqual(inRegister(without, { ...without, state: "tested" }), [
    "2: `test` is missing",
    "3: `test` is missing",
  ]);
});

test("a register with entries that are not", () => {
  const { setting: _, ...withoutSetting } = whole;
  const faulty = inRegister(
    withoutSetting,
    { ...whole, decision: "" },
    { ...whole, decision: "D21" },
    { ...whole, test: "gone.ts" },
    1,
    { ...whole, test: "docs/glossary.md#gone" },
    { ...whole, id: "a" },
    { ...whole, id: "a" },
  );
  assert.deepEqual(faulty, [
    "2: `setting` is missing; null where there is none",
    "3: `decision` is missing",
    "4: there is no D21",
    "5: there is no gone.ts",
    "6: is no object",
    '7: docs/glossary.md has no test "gone"',
    "9: the id a is taken",
  ]);
  assert.equal(checkRegister("{}", root).length, 1);
  assert.deepEqual(places(checkRegister(JSON.stringify([whole], undefined, 2), root)), [
    "1: each entry is one line, as JSON.stringify writes it",
  ]);
});

test("container files that name what is not there", () => {
  const files = {
    containerfile:
      'FROM node:24-slim\nRUN npm run build\nENV TITIAN_PORT=1\nENTRYPOINT ["node", "titian.cjs"]\nCMD ["serve"]',
    compose:
      'dockerfile: Containerfile\nentrypoint: ["node", "titian.cjs"]\n  <<: *titian\n  command: ["serve"]\nTITIAN_PORT: 1\nfile: ${SECRETS}/a.env\n',
    ignored: "*\n!packages\n",
    page: 'printf x > "$SECRETS/a.env"',
  };
  const facts = {
    scripts: ["build"],
    commands: ["serve"],
    config: "TITIAN_PORT",
    engine: ">=24.0.0",
    exists: () => true,
  };
  assert.deepEqual(checkContainers(files, facts), []);
  const nothing = { scripts: [], commands: [], config: "", engine: ">=26.0.0", exists: () => false };
  assert.deepEqual(
    checkContainers({ ...files, page: "" }, nothing).map(({ path, line, message }) => `${path}:${line}: ${message}`),
    [
      "Containerfile:1: no package is for the Node of the image: 24",
      "Containerfile:2: there is no such script: build",
      "Containerfile:4: there is no such file: titian.cjs",
      "Containerfile:5: titian has no such command: serve",
      ".dockerignore:2: there is no such file: packages",
      "compose.yaml:2: there is no such file: titian.cjs",
      "compose.yaml:1: there is no such file: Containerfile",
      "compose.yaml:4: titian has no such command: serve",
      "compose.yaml:6: docs/guides/operating.md makes no such secret: a.env",
      "Containerfile:3: no setting is called so: TITIAN_PORT",
      "compose.yaml:5: no setting is called so: TITIAN_PORT",
    ],
  );
  assert.ok(checkContainers({ ...files, ignored: "" }, facts).some(({ message }) => message.startsWith("it has no ")));
});

test("an ADR that is long, lacks a part or shares its number", () => {
  const record = "# 0001 A\n\n## Context\n\n## Decision\n\n## Consequences\n";
  const path = "docs/adr/0001-a.md";
  assert.deepEqual(checkAdrs([page(record, path)]), []);
  assert.deepEqual(places(checkAdrs([page(record + "\n".repeat(30), path)])), ["1: an ADR has at most 30 lines"]);
  assert.deepEqual(places(checkAdrs([page(record.replace("## Context", ""), path)])), ['1: it has no "Context"']);
  assert.deepEqual(places(checkAdrs([page(record, path), page(record, "docs/adr/0001-b.md")])), [
    "1: its number is taken",
  ]);
});

test("a drawing that is not the table's any more, or has no place", () => {
  const states = {
    open: { status: "01", meaning: "Begun", on: { end: ["done"] } },
    done: { status: "00", meaning: "Over", on: {} },
  };
  const lamp: Machine = {
    name: "lamp",
    starts: { begin: "open" },
    states,
    unlisted: { end: { kind: "nothing" } },
  };
  const drawn =
    redraw("# States\n<!-- drawn: lamp -->\n<!-- end -->\n", [drawMachine(lamp)]) ?? assert.fail("it has a place");
  assert.match(drawn, /^ {2}\[\*\] --> open: begin\n {2}open --> done: end$/m);
  assert.match(drawn, /^\| open \| 01 \| Begun \| done \|\n\| done \| 00 \| Over \| ignored \|$/m);
  assert.deepEqual(checkDrawings("README.md", page(drawn), [drawMachine(lamp)]), []);
  const undone: Machine = { ...lamp, states: { ...states, done: { ...states.done, on: { end: ["open"] } } } };
  for (const drawing of [page(drawn), page("# States"), undefined]) {
    assert.equal(checkDrawings("README.md", drawing, [drawMachine(undone)]).length, 1);
  }
});
