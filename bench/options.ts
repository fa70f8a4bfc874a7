/** What one run of the benches measures, read from its command line. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { layerSubjects } from "./report/cpu-layers.ts";
import { type Load, loadNames, type SubjectName, subjectNames } from "./subject.ts";

export interface Options {
  readonly subjects: readonly SubjectName[];
  /** What is measured behind the subjects. */
  readonly parts: readonly PartName[];
  readonly bulkItems: number;
  /** Numbers of transfers that the databases of `growth` have before. */
  readonly transfers: readonly number[];
  readonly soakMinutes: number;
  readonly loads: readonly Load[];
  /** Concurrent callers; every subject but TPC-B is measured at each. */
  readonly callers: readonly number[];
  readonly rounds: number;
  /** Length of one measured window. */
  readonly seconds: number;
  /** Long enough for V8 to have compiled what is hot, for plans to be made and pages to be read; a second in a short run. */
  readonly warmUpSeconds: number;
  /** pgbench's `--scale`: 100,000 accounts each. */
  readonly tpcbScale: number;
  /** Customer accounts of the uniform load. */
  readonly accounts: number;
  /** Whose programs the cluster is made with. */
  readonly postgres: PostgresName;
  /** A local PostgreSQL to use instead of a cluster of our own; its databases `bench_…` are replaced. */
  readonly clusterUrl: string | undefined;
  /** Windows in which other processes took more of the machine than this (0 to 1) are measured again; 1: never. */
  readonly othersMost: number;
  /** Where the chart of the layers goes, once all of them were measured. */
  readonly chart: string;
  /** The whole run is cut off after this. */
  readonly limitMinutes: number;
}

/** `cpu` stands for what its report needs. */
const cpuSubjects: readonly SubjectName[] = ["tpcb", ...layerSubjects, "ledger"];
/**
 * bulks (20); open: calls that arrive at random; console: the cost of an open one; deliveries of notifications (76); growth:
 * filled tables; soak: a long run.
 */
const partNames = ["bulks", "open", "console", "deliveries", "growth", "soak"] as const;
export type PartName = (typeof partNames)[number];
const names = [...subjectNames, "cpu", ...partNames] as const;

const postgresNames = ["embedded", "debian"] as const;
export type PostgresName = (typeof postgresNames)[number];

export const usage = `npm run bench -- [options]
  --short             about nine minutes: 256 callers, 2 rounds of 1 s, a small TPC-B
  --only a,b          of ${names.join(", ")}
  --loads a,b         of ${loadNames.join(", ")}
                      cpu: the CPU of one transfer by layers, with 256 callers
                      soak is not among the default, nor growth of a short run
  --callers 64,256    concurrent callers (default 256,1,16,64,1024)
  --rounds 5          interleaved rounds
  --seconds 3         length of one window
  --tpcb-scale 50     pgbench's scale
  --accounts 10000    customer accounts
  --bulk-items 10000  items of a bulk
  --transfers 0,1000000,5000000  of the databases of growth
  --soak-minutes 60   length of the soak, which this adds to the run
  --postgres debian   the PostgreSQL of /usr/lib/postgresql instead of the embedded one
  --cluster <url>     a local PostgreSQL to use instead of an embedded one; its databases bench_* are replaced
  --others-most 10    measure a window again when other processes took more percent of the machine, up to 5 times
  --chart <file>      where the chart of the layers is written (default bench/results/cpu.svg)
  --limit-minutes 300 cut the run off after this`;

const full = {
  callers: "256,1,16,64,1024",
  rounds: "5",
  seconds: "3",
  "tpcb-scale": "50",
  "bulk-items": "10000",
  only: [...subjectNames, ...partNames.filter((name) => name !== "soak")].join(","),
  "others-most": "10",
  "limit-minutes": "300",
};
const short = {
  callers: "256",
  rounds: "2",
  seconds: "1",
  "tpcb-scale": "5",
  "bulk-items": "500",
  only: [...subjectNames, ...partNames.filter((name) => name !== "soak" && name !== "growth")].join(","),
  "others-most": "100",
  "limit-minutes": "20",
};

/** Of a run of nothing but `cpu`. */
const cpu = { callers: "256", loads: "uniform" };

/** Throws, naming the option, when one cannot be read. */
export function readOptions(args: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: "boolean" },
      short: { type: "boolean" },
      only: { type: "string" },
      loads: { type: "string" },
      callers: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string" },
      "tpcb-scale": { type: "string" },
      accounts: { type: "string", default: "10000" },
      "bulk-items": { type: "string" },
      transfers: { type: "string", default: "0,1000000,5000000" },
      "soak-minutes": { type: "string" },
      postgres: { type: "string", default: "embedded" },
      cluster: { type: "string" },
      "others-most": { type: "string" },
      chart: { type: "string", default: fileURLToPath(new URL("./results/cpu.svg", import.meta.url)) },
      "limit-minutes": { type: "string" },
    },
  });
  if (values.help === true) return "help";
  const defaults = values.short === true ? short : full;
  const only = readNames("only", values.only ?? defaults.only, names);
  const given = { ...defaults, ...(only.every((name) => name === "cpu") && cpu), ...values };
  const isSoaked = only.includes("soak") || values["soak-minutes"] !== undefined;
  return {
    subjects: subjectNames.filter(
      (name) => only.includes(name) || (only.includes("cpu") && cpuSubjects.includes(name)),
    ),
    parts: partNames.filter((name) => (name === "soak" ? isSoaked : only.includes(name))),
    transfers: values.transfers
      .split(",")
      .map((text) => readNumber("transfers", text, { least: 0, most: 100_000_000 })),
    soakMinutes: readNumber("soak-minutes", values["soak-minutes"] ?? "60", { least: 0.5, most: 10_080 }),
    postgres: readName("postgres", values.postgres, postgresNames),
    bulkItems: readNumber("bulk-items", given["bulk-items"], { least: 100, most: 10_000 }),
    loads: readNames("loads", given.loads, loadNames),
    callers: given.callers.split(",").map((text) => readNumber("callers", text, { least: 1, most: 4_000 })),
    rounds: readNumber("rounds", given.rounds, { least: 1, most: 100 }),
    seconds: readNumber("seconds", given.seconds, { least: 0.5, most: 60 }),
    warmUpSeconds: values.short === true ? 1 : 8,
    tpcbScale: readNumber("tpcb-scale", given["tpcb-scale"], { least: 1, most: 1_000 }),
    accounts: readNumber("accounts", given.accounts, { least: 100, most: 1_000_000 }),
    clusterUrl: values.cluster,
    chart: values.chart,
    othersMost: readNumber("others-most", given["others-most"], { least: 1, most: 100 }) / 100,
    limitMinutes: readNumber("limit-minutes", given["limit-minutes"], { least: 1, most: 600 }),
  };
}

/** Those of the known names that a list names; all of them where there is no list. */
function readName<Name extends string>(option: string, text: string, known: readonly Name[]): Name {
  const [name, ...others] = readNames(option, text, known);
  if (name === undefined || others.length > 0) throw new Error(`--${option} takes one of ${known.join(", ")}.`);
  return name;
}

function readNames<Name extends string>(
  option: string,
  text: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (text === undefined) return known;
  const named = text.split(",");
  const unknown = named.find((name) => !known.some((one) => one === name));
  if (unknown !== undefined) throw new Error(`--${option} knows ${known.join(", ")}, not "${unknown}".`);
  return known.filter((name) => named.includes(name));
}

function readNumber(name: string, text: string, { least, most }: { least: number; most: number }): number {
  const value = Number(text);
  if (!(value >= least && value <= most)) throw new Error(`--${name} takes ${least} to ${most}, not "${text}".`);
  return value;
}
