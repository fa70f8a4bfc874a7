import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, describe, test } from "node:test";
import { minor } from "../../ledger/money.ts";
import { loadRailData, RailDataError, type RailFiles } from "./rail-data.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-rail-data-"));
after(() => rmSync(directory, { recursive: true }));
let written = 0;

/** The path of a new file with that content: a text as it is, anything else as JSON. */
function fileOf(content: unknown): string {
  const path = join(directory, `${written++}.json`);
  writeFileSync(path, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return path;
}

/** The faults of these files, without the path before each. */
function faultsOf(contents: Readonly<Record<string, unknown>>) {
  const files = Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, fileOf(content)]));
  return faultsOfFiles(files).map((fault) => fault.replace(/^\S+[0-9]+\.json(, )?/, ""));
}

function faultsOfFiles(files: RailFiles): readonly string[] {
  try {
    loadRailData({ files, ownBankCode: "999" });
  } catch (error) {
    assert.ok(error instanceof RailDataError);
    return error.faults;
  }
  return [];
}

const interbank = { name: "interbank", currency: "IDR", min: "1.00", fee: "2500.00", sharedFeeMax: "1000.00" };
const rtgs = { ...interbank, name: "rtgs", hours: { from: "06:30", to: "16:30" } };
const skn = { ...rtgs, name: "skn", max: "1000000000.00", settlements: ["08:00", "16:45"] };
const rails = [interbank, rtgs, skn];

describe("the data that comes with the service", () => {
  const data = loadRailData({ ownBankCode: "999" });

  test("has the three rails with the limits, hours and fees of spec D11", () => {
    const hours = { from: 390, to: 990 };
    const sharedFeeMax = minor(1_000_00n);
    assert.deepEqual(data.rails, {
      interbank: {
        name: "interbank",
        currency: "IDR",
        min: minor(1_00n),
        max: minor(250_000_000_00n),
        fee: minor(2_500_00n),
        sharedFeeMax,
      },
      rtgs: {
        name: "rtgs",
        currency: "IDR",
        min: minor(100_000_000_01n),
        fee: minor(25_000_00n),
        sharedFeeMax,
        hours,
      },
      skn: {
        name: "skn",
        currency: "IDR",
        min: minor(1_00n),
        max: minor(1_000_000_000_00n),
        fee: minor(2_900_00n),
        sharedFeeMax,
        hours,
        settlements: [480, 540, 600, 660, 720, 780, 840, 900, 1_005],
      },
    });
  });

  test("has 80 banks, each by its code and by its BIC", () => {
    assert.equal(data.banks.size, 160);
    assert.deepEqual(data.banks.get("014"), { code: "014", bic: "CENAIDJA", name: "BCA" });
    assert.equal(data.banks.get("CENAIDJA"), data.banks.get("014"));
    assert.equal(data.banks.get("999"), undefined);
    assert.equal(data.ownBankCode, "999");
  });

  test("has the public holidays of 2026 to 2028, and the joint leave days of 2026 and 2027", () => {
    assert.equal(data.holidays.size, 68);
    for (const year of [2026, 2027, 2028]) {
      for (const day of ["01-01", "05-01", "06-01", "08-17", "12-25"]) assert.ok(data.holidays.has(`${year}-${day}`));
    }
    for (const day of ["2026-03-19", "2026-12-24", "2027-03-15", "2027-12-24"]) assert.ok(data.holidays.has(day));
    assert.equal(data.holidays.has("2026-11-23"), false);
  });
});

describe("files of the operator's own", () => {
  test("take the place of those that come with the service, each for itself, by absolute or relative path", () => {
    const files = {
      rails: fileOf([skn, { ...interbank, currency: "JPY", min: "1", fee: "250", sharedFeeMax: "100" }, rtgs]),
      banks: relative(process.cwd(), fileOf([{ code: "008", bic: "BMRIIDJA", name: "Mandiri" }])),
    };
    const data = loadRailData({ files, ownBankCode: "008" });
    assert.deepEqual(data.rails.interbank, {
      name: "interbank",
      currency: "JPY",
      min: minor(1n),
      fee: minor(250n),
      sharedFeeMax: minor(100n),
    });
    assert.deepEqual(data.rails.skn.settlements, [480, 1_005]);
    assert.deepEqual([...data.banks.keys()], ["008", "BMRIIDJA"]);
    assert.equal(data.holidays.size, 68);
  });

  test("may say that there are no holidays, and that a rail is open to midnight without a fee", () => {
    const always = { ...rtgs, fee: "0", hours: { from: "00:00", to: "24:00" } };
    const files = { rails: fileOf([interbank, always, skn]), holidays: fileOf([]) };
    const data = loadRailData({ files, ownBankCode: "999" });
    assert.deepEqual(data.rails.rtgs.hours, { from: 0, to: 1_440 });
    assert.equal(data.rails.rtgs.fee, 0n);
    assert.equal(data.holidays.size, 0);
  });

  test("may be as docs/guides/operating.md shows one", () => {
    const text = readFileSync(new URL("../../../../../docs/guides/operating.md", import.meta.url), "utf8");
    const [, example = ""] = /```json\n(\[\n {2}\{ "name": "interbank".*?)```/s.exec(text) ?? [];
    const data = loadRailData({ files: { rails: fileOf(example) }, ownBankCode: "999" });
    assert.deepEqual(data.rails.skn.settlements, [480, 1_005]);
  });

  test("every fault of all files is named at once, with its file", () => {
    const files = { rails: fileOf([]), holidays: fileOf("{"), banks: join(directory, "nowhere.json") };
    const faults = faultsOfFiles(files);
    assert.deepEqual(faults.slice(0, 3), [
      `${files.rails}: has no entry of the rail "interbank"`,
      `${files.rails}: has no entry of the rail "rtgs"`,
      `${files.rails}: has no entry of the rail "skn"`,
    ]);
    assert.match(faults[3] ?? "", /^\S+: is no JSON: /);
    assert.equal(faults[4], `${files.banks}: cannot be read: ENOENT: no such file or directory, open '${files.banks}'`);
    assert.equal(faults.length, 5);
    const { message } = new RailDataError(faults.slice(0, 2));
    assert.equal(message, `The data of the rails cannot be used:\n  - ${faults[0]}\n  - ${faults[1]}`);
  });
});

// what is wrong, the files' content, the faults
const faulty: readonly (readonly [string, Readonly<Record<string, unknown>>, readonly string[]])[] = [
  ["a file that is no list", { banks: { "014": "BCA" } }, [": must be a JSON list"]],
  ["a file that is no UTF-8", { banks: Uint8Array.of(0x5b, 0xff, 0x5d) }, [": is no text in UTF-8"]],
  ["an entry that is no object", { holidays: ["2026-12-25"] }, ['[0]: must be an object, not "2026-12-25"']],
  [
    "members that are missing or nobody's",
    { banks: [{ code: "014", BIC: "CENAIDJA", name: "BCA" }] },
    [
      "[0].bic: is missing: give a BIC of 8 capital letters and digits, without a branch",
      "[0].BIC: is no member; there may be code, bic, name",
    ],
  ],
  [
    "codes that are none",
    { banks: [{ code: "14", bic: "CENAIDJAXXX", name: " " }] },
    [
      '[0].code: must be three digits, not "14"',
      '[0].bic: must be a BIC of 8 capital letters and digits, without a branch, not "CENAIDJAXXX"',
      '[0].name: must be the bank\'s name, not " "',
    ],
  ],
  [
    "codes that stand there twice",
    {
      banks: [
        { code: "014", bic: "CENAIDJA", name: "BCA" },
        { code: "008", bic: "BMRIIDJA", name: "Mandiri" },
        { code: "014", bic: "BMRIIDJA", name: "BCA again" },
      ],
    },
    [
      '[2].code: "014" stands at [0] already; take one of them out',
      '[2].bic: "BMRIIDJA" stands at [1] already; take one of them out',
    ],
  ],
  [
    "days that are none, or stand there twice",
    {
      holidays: [
        { date: "2026-02-30", name: "None" },
        { date: "2026-12-25", name: "Natal" },
        { date: "25-12-2026", name: "Natal" },
        { date: "2026-12-25", name: "Christmas" },
        { date: "2026-13-01", name: "None" },
      ],
    },
    [
      '[2].date: must be a date such as 2026-12-25, not "25-12-2026"',
      '[3].date: "2026-12-25" stands at [1] already; take one of them out',
      '[0].date: must be a date such as 2026-12-25, not "2026-02-30"',
      '[4].date: must be a date such as 2026-12-25, not "2026-13-01"',
    ],
  ],
  ["a rail that is missing", { rails: [interbank, skn] }, [': has no entry of the rail "rtgs"']],
  [
    "a rail that stands there twice",
    { rails: [...rails, skn] },
    ['[3].name: "skn" stands at [2] already; take one of them out'],
  ],
  [
    "a rail that nobody knows",
    { rails: [interbank, rtgs, skn, { ...skn, name: "bifast" }] },
    ['[3].name: must be interbank, rtgs or skn, not "bifast"'],
  ],
  [
    "a currency that nobody knows",
    { rails: [{ ...interbank, currency: "IDX" }, rtgs, skn] },
    ['[0].currency: must be an ISO 4217 code such as IDR, not "IDX"'],
  ],
  [
    "amounts that are none",
    {
      rails: [
        { ...interbank, min: "1.005", fee: 2500 },
        { ...rtgs, fee: "2.500,00" },
        { ...skn, max: "-1" },
      ],
    },
    [
      '[0].fee: must be a decimal text such as "2500.00", not 2500',
      '[1].fee: must be a decimal text such as "2500.00", not "2.500,00"',
      '[2].max: must be a decimal text such as "2500.00", not "-1"',
    ],
  ],
  [
    "amounts with more decimals than the currency has",
    {
      rails: [
        { ...interbank, min: "1.005" },
        { ...rtgs, currency: "JPY", min: "1.5", fee: "0", hours: undefined },
        skn,
      ],
    },
    [
      '[0].min: must be an amount of at most 2 decimals in IDR, not "1.005"',
      '[1].min: must be an amount of at most 0 decimals in JPY, not "1.5"',
    ],
  ],
  [
    "limits the wrong way round, and a min of zero",
    { rails: [{ ...interbank, min: "0.00" }, rtgs, { ...skn, min: "2.00", max: "1.99" }] },
    ['[0].min: must be more than zero, not "0.00"', '[2].max: must not be less than min (2.00), but is "1.99"'],
  ],
  [
    "times that are none",
    {
      rails: [
        interbank,
        { ...rtgs, hours: { from: "6:30", to: "24:01" } },
        { ...skn, settlements: ["08:00", "24:00", "8.30"] },
      ],
    },
    [
      '[1].hours.from: must be a time of the day from 00:00 to 23:59, not "6:30"',
      '[1].hours.to: must be a time of the day from 00:01 to 24:00, not "24:01"',
      '[2].settlements[1]: must be a time of the day from 00:00 to 23:59, not "24:00"',
      '[2].settlements[2]: must be a time of the day from 00:00 to 23:59, not "8.30"',
    ],
  ],
  [
    "hours that end before they begin, or do not last",
    {
      rails: [
        interbank,
        { ...rtgs, hours: { from: "16:30", to: "06:30" } },
        { ...skn, hours: { from: "06:30", to: "06:30" } },
      ],
    },
    [
      '[1].hours.to: must be later than from (16:30) on the same day, but is "06:30"',
      '[2].hours.to: must be later than from (06:30) on the same day, but is "06:30"',
    ],
  ],
  [
    "settlements out of order, twice, or none",
    { rails: [interbank, { ...rtgs, settlements: [] }, { ...skn, settlements: ["08:00", "07:59", "07:59"] }] },
    [
      "[1].settlements: must be a list of times of the day, at least one, not []",
      '[2].settlements[1]: must be later than the one before it (08:00), but is "07:59"',
      '[2].settlements[2]: must be later than the one before it (07:59), but is "07:59"',
    ],
  ],
];

for (const [name, contents, faults] of faulty) {
  test(`rejected, with its place and what would be right: ${name}`, () => {
    assert.deepEqual(faultsOf(contents), faults);
  });
}
