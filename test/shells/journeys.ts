/** Journeys: blocks pasted in one session, in order, and what they lead to. Every block is in one of these, or unrun. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { useDatabase } from "../support/database/database.ts";
import type { Session } from "./session.ts";
import { blockOf, blocks, firstBlock, removeWithProcesses, type World } from "./world.ts";

export interface Expected {
  /** Response codes, and errors of control calls, in their order. */
  readonly codes?: readonly string[];
  /** Programs that do not end with 0: name, number of arguments, exit code. Sorted. */
  readonly ends?: readonly string[];
  /** Files that it makes in the checkout. */
  readonly makes?: readonly string[];
}

export interface Step extends Expected {
  /** Page and position, as in `docs/guides/signing.md#1`. */
  readonly block: string;
  /** The command goes on until Ctrl-C, once this is shown. */
  readonly until?: RegExp;
  /** Result of another paste, where the block is about something that is there by then. */
  readonly again?: Expected;
  /** True once what the page says has happened by then. */
  readonly waitsFor?: (world: World) => Promise<boolean>;
}

export interface Journey {
  readonly name: string;
  readonly steps: readonly Step[];
  /** It moves the clock or changes rails, which other calls would meet. */
  readonly movesTheWorld?: true;
  /** Its commands wait for what settles later: the clock is moved meanwhile. */
  readonly waitsForSettlement?: true;
  /** Commands of `titian` alone: in the short run one shell carries them out, and the others are to give the same ones. */
  readonly isOfCommands?: true;
  /** Nothing is carried out: programs record their arguments. In the short run, or always. */
  readonly recordsOnly?: "inShortRun" | "always";
  /** Starts a sandbox of its own. */
  readonly startsSandbox?: true;
  /**
   * Makes the files that the page speaks of. Text of the page, and what takes its place: ports, directories and databases of
   * this machine. What is to be undone is put on the stack.
   */
  readonly prepare?: (
    session: Session,
    world: World,
    stack: AsyncDisposableStack,
  ) => Promise<Replaced> | Replaced | void;
}

type Replaced = readonly (readonly [text: string, instead: string])[];

const root = resolve(import.meta.dirname, "../..");

/** The first block of the language on the page. */
function shownOn(page: string, language: string): string {
  const [, text = ""] =
    new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "s").exec(readFileSync(join(root, page), "utf8")) ?? [];
  return text;
}

const write = ({ cwd }: Session, name: string, text: string) => writeFileSync(join(cwd, name), text);
const ready = /Titian is ready/;
const listens = /Ctrl-C/;

const curl: Journey = {
  name: "calls with curl",
  steps: [
    { block: "README.md#2", codes: ["2001700"] },
    { block: "docs/guides/signing.md#1" },
    { block: "docs/guides/signing.md#2", codes: ["2001700"] },
    { block: "docs/guides/payments.md#1", codes: ["2006300", "2006500", "2006900", "2006400"] },
    { block: "docs/guides/transfers.md#1", codes: ["2001600", "2001800", "2003600"] },
    { block: "docs/guides/payment-requests.md#1", codes: ["2001900", "2003600"] },
  ],
};

const control: Journey = {
  name: "control calls",
  movesTheWorld: true,
  steps: [
    { block: "docs/guides/sandbox.md#3" },
    { block: "docs/guides/sandbox.md#4" },
    { block: "docs/guides/payment-requests.md#2" },
  ],
};

const commands: Journey = {
  name: "commands",
  movesTheWorld: true,
  isOfCommands: true,
  prepare: (session) => write(session, ".titian.log", ""),
  steps: [
    { block: "README.md#3", codes: ["2001500"] },
    { block: "docs/guides/sandbox.md#8" },
    { block: "docs/guides/receiving-notifications.md#2" },
    { block: "CONTRIBUTING.md#2", codes: ["2001800"] },
    { block: "docs/guides/sandbox.md#5" },
    { block: "docs/guides/sandbox.md#6" },
  ],
};

const bulkSent = { codes: ["4092000", "2002000"], ends: ["titian 6 1"] };
const payroll: Journey = {
  name: "payroll",
  movesTheWorld: true,
  isOfCommands: true,
  waitsForSettlement: true,
  prepare: (session) => {
    write(session, "payroll.json", shownOn("docs/guides/bulk-transfers.md", "json"));
    write(session, "salaries-2026-11.csv", shownOn("docs/guides/bulk-transfers.md", "text"));
  },
  steps: [
    {
      block: "docs/guides/bulk-transfers.md#1",
      codes: ["2002000", "2003600"],
      again: { ...bulkSent, codes: [...bulkSent.codes, "2003600"] },
    },
    {
      block: "docs/guides/bulk-transfers.md#2",
      codes: ["2003600", "4032018"],
      waitsFor: async ({ alpha }) => {
        const item = { serviceCode: "20", originalPartnerReferenceNo: "2026-11-E002" };
        return (await alpha().call("transfer/status", item)).body["latestTransactionStatus"] === "06";
      },
    },
    {
      block: "docs/guides/bulk-transfers.md#3",
      ends: ["titian 9 4"],
      makes: ["results.csv", "salaries-2026-11-R2.csv"],
      again: { ends: ["titian 9 4"] },
    },
    { block: "docs/guides/bulk-transfers.md#4", ends: ["titian 5 4"] },
    {
      block: "docs/guides/bulk-transfers.md#5",
      codes: ["4092000", "2002000", "4092001", "2002000"],
      ends: ["titian 10 1", "titian 6 1"],
    },
  ],
};

const collecting: Journey = {
  name: "collecting",
  isOfCommands: true,
  prepare: (session) => write(session, "invoices.csv", "INV-1001,1001000001,75000.00\nINV-1002,1001000002,120000.00\n"),
  steps: [
    {
      block: "docs/guides/payment-requests.md#4",
      codes: ["2001900", "2001900"],
      again: { codes: ["4091900", "2001900", "4091900", "2001900"], ends: ["titian 20 1", "titian 20 1"] },
    },
    { block: "docs/guides/payment-requests.md#5" },
  ],
};

const isThere = { ends: ["titian 9 1"] };
const operators: Journey = {
  name: "operators",
  movesTheWorld: true,
  isOfCommands: true,
  prepare: (session, { file }) => write(session, "provider.pem", file.provider.publicKey),
  steps: [
    { block: "docs/guides/operating.md#2", again: { ends: ["titian 4 1"] } },
    // Nothing listens at the partner's address.
    { block: "docs/guides/operating.md#3", ends: ["titian 4 1"], again: { ends: ["titian 4 1", ...isThere.ends] } },
    { block: "docs/guides/operating.md#4", again: { ends: ["titian 11 1"] } },
    ...[5, 6, 7, 8].map((number) => ({ block: `docs/guides/operating.md#${number}` })),
    { block: "docs/guides/operating.md#9", ends: ["titian 4 1"] },
    { block: "docs/guides/operating.md#10" },
    { block: "docs/guides/operating.md#11" },
    { block: "docs/reference/notifications.md#1" },
    { block: "docs/reference/notifications.md#2", ends: ["titian 4 1", "titian 9 1"] },
    { block: "docs/reference/notifications.md#3" },
    { block: "docs/reference/notifications.md#4" },
    { block: "docs/reference/notifications.md#5" },
    { block: "docs/guides/payment-requests.md#3" },
    // Nobody of that name got so much.
    { block: "docs/guides/finding.md#1", ends: ["titian 6 1"] },
  ],
};

/** A call as it was sent, with the signature of another secret. */
function refusedCall({ file }: World): readonly string[] {
  const [alpha] = file.partners;
  return [
    "Content-Type: application/json",
    "Authorization: Bearer e30.e30.x",
    "X-TIMESTAMP: 2026-11-21T10:00:00+07:00",
    `X-SIGNATURE: ${Buffer.alloc(64).toString("base64")}`,
    `X-PARTNER-ID: ${alpha?.partnerId ?? ""}`,
    "X-EXTERNAL-ID: 1",
    `CHANNEL-ID: ${alpha?.channelId ?? ""}`,
  ];
}

function saveRefusedCall(session: Session, world: World): void {
  const [body, headers] = ['{"beneficiaryAccountNo":"1009000001"}', refusedCall(world)];
  const uri = "/v1.0/account-inquiry-internal";
  write(session, "refused.http", [`POST ${uri} HTTP/1.1`, "Host: localhost", ...headers, "", body].join("\r\n"));
  const quoted = headers.map((header) => ` -H '${header}'`).join("");
  write(session, "refused.sh", `curl -sS http://localhost${uri}${quoted} --data-raw '${body}'\n`);
  write(session, "secret.txt", world.file.partners[0]?.clientSecret ?? "");
}

const refused: Journey = {
  name: "refused calls",
  isOfCommands: true,
  prepare: saveRefusedCall,
  steps: [{ block: "docs/guides/refused-calls.md#1", ends: ["titian 2 1", "titian 4 1", "titian 6 1"] }],
};

const roleOf = (url: string) => new URL(url).username;

const production: Journey = {
  name: "production",
  recordsOnly: "inShortRun",
  prepare: async (session, world, stack) => {
    const database = stack.use(await useDatabase());
    const key = join(session.home, "provider.pem");
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    writeFileSync(key, privateKey.export({ type: "pkcs8", format: "pem" }));
    saveRefusedCall(session, world);
    return [
      ["'postgres://titian_owner:…@db.example/titian?sslmode=verify-full'", `'${database.ownerUrl}'`],
      ["'postgres://titian_app:…@db.example/titian?sslmode=verify-full'", `'${database.url}'`],
      ["--application-role titian_app", `--application-role ${roleOf(database.url)}`],
      ["--administration-role titian_admin", `--administration-role ${roleOf(database.administrationUrl)}`],
      ["DATABASE_URL=postgres://… ", `DATABASE_URL='${database.url}' `],
      ["TITIAN_MASTER_KEY=…", `TITIAN_MASTER_KEY=${randomBytes(32).toString("base64")}`],
      ["/etc/titian/provider.pem", key],
      ["TITIAN_BANK_CODE=…", "TITIAN_BANK_CODE=008"],
    ];
  },
  steps: [
    { block: "docs/guides/operating.md#1", until: ready },
    { block: "docs/guides/operating.md#12", ends: ["titian 4 1"] },
    { block: "docs/guides/operating.md#15", makes: ["provider-public.pem"] },
  ],
};

const listeners: Journey = {
  name: "listeners and a second node",
  movesTheWorld: true,
  isOfCommands: true,
  prepare: () => [["PORT=8081", "PORT=0"]],
  steps: [
    { block: "docs/guides/sandbox.md#7", until: listens },
    { block: "docs/guides/receiving-notifications.md#1", until: listens },
    { block: "docs/guides/sandbox.md#9", until: ready },
  ],
};

const starts: Journey = {
  name: "a sandbox of its own",
  recordsOnly: "inShortRun",
  startsSandbox: true,
  prepare: ({ cwd, home }, _world, stack) => {
    const elsewhere = join(home, "try");
    for (const dataDir of [join(cwd, ".titian"), elsewhere]) stack.defer(() => removeWithProcesses(dataDir));
    return [["/tmp/try", elsewhere]];
  },
  steps: [
    { block: "docs/guides/sandbox.md#1", until: ready },
    { block: "docs/guides/sandbox.md#2", until: ready },
    { block: "CONTRIBUTING.md#1", until: ready },
  ],
};

const unrun: Journey = {
  name: "unrun",
  recordsOnly: "always",
  steps: [...blocks].filter(([, { mark }]) => mark === "unrun").map(([block]) => ({ block })),
};

export const journeys: readonly Journey[] = [
  curl,
  unrun,
  { name: "secrets of containers", steps: [{ block: "docs/guides/operating.md#23" }] },
  starts,
  production,
  refused,
  collecting,
  payroll,
  operators,
  commands,
  control,
  listeners,
];

/** Blocks that nothing pastes, and those that are pasted by two journeys. */
export function findUnplanned(): readonly string[] {
  const planned = [firstBlock, ...journeys.flatMap(({ steps }) => steps.map(({ block }) => block))];
  for (const name of planned) blockOf(name);
  const counts = Map.groupBy(planned, (name) => name);
  return [...blocks.keys()].filter((name) => counts.get(name)?.length !== 1);
}
