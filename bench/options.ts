/** Options of one run of the benches, read from its command line. */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { layerSubjects } from "./report/cpu-layers.ts";
import { peerSubjects } from "./report/peers-table.ts";
import { type Load, loadNames, type SubjectName, subjectNames } from "./subject.ts";

export interface Options {
  readonly subjects: readonly SubjectName[];
  /** Parts that are measured behind the subjects. */
  readonly parts: readonly PartName[];
  readonly loads: readonly Load[];
  /** Concurrent callers; every subject is measured at each. */
  readonly callers: readonly number[];
  readonly rounds: number;
  /** Length of one measured window. */
  readonly seconds: number;
  /** Long enough for V8 to have compiled what is hot, for plans to be made and pages to be read; a second in a short run. */
  readonly warmUpSeconds: number;
  /** Calls by which cells of a few callers are warmed up beside; they name every account but in a short run. */
  readonly warmUpCalls: number;
  /** pgbench's `--scale`: 100,000 accounts each. */
  readonly tpcbScale: number;
  /** Customer accounts. */
  readonly accounts: number;
  /** Number of items of each bulk. */
  readonly bulkItems: number;
  /** Numbers of transfers that the databases of `growth` have before. */
  readonly transfers: readonly number[];
  /** The database of search stays, and one that stayed is measured. */
  readonly keepsDatabase: boolean;
  readonly soakMinutes: number;
  /** Source tree of the service that `before` and `before2` run. */
  readonly before: string | undefined;
  /** Programs that the cluster is made with. */
  readonly postgres: (typeof postgresNames)[number];
  /** A local PostgreSQL to use instead of a cluster of our own; its databases `bench_…` are replaced. */
  readonly clusterUrl: string | undefined;
  /** Windows in which other processes took more of the machine than this (0 to 1) are measured again; 1: never. */
  readonly othersMost: number;
  /** Where the chart of the layers goes, once all of them were measured. */
  readonly chart: string;
  /** The whole run is cut off after this. */
  readonly limitMinutes: number;
}

/** bulks (20); cells, cellsE2e: transfers between two, by engines alone and end to end; deliveries of notifications (76); garbage: KB and collections; growth: filled tables; neighbours: limits of partners; search: plans on filled tables; soak: a long run; start: the sandbox's. */
const partNames = [
  "bulks",
  "cells",
  "cellsE2e",
  "deliveries",
  "garbage",
  "growth",
  "neighbours",
  "search",
  "soak",
  "start",
] as const;
export type PartName = (typeof partNames)[number];
const names = [...subjectNames, "cpu", "peers", ...partNames] as const;
/** `cpu` and `peers` stand for what their reports need. */
const cpuSubjects: readonly SubjectName[] = ["tpcb", ...layerSubjects];
/** Measured when they are named. */
const measuredIfNamed: readonly (typeof names)[number][] = [
  "before",
  "before2",
  "growth",
  "neighbours",
  "search",
  "soak",
  "start",
];
const postgresNames = ["embedded", "debian"] as const;

export const usage = `npm run bench -- [options]
  --short             about six minutes: 256 callers, 2 rounds of 1 s, a small TPC-B
  --only a,b          of ${names.join(", ")}
                      cpu: the CPU of one transfer by layers, with 256 callers
                      peers: the service beside the usual one, the guarded one and TPC-B, from 1 to 256 callers
                      cells: transfers to another cell beside those within one, by engines alone; cellsE2e: over HTTP, by the whole service
                      ${measuredIfNamed.join(", ")} are measured when they are named
  --loads a,b         of ${loadNames.join(", ")}
  --callers 64,256    concurrent callers (default 256,1,4,16,64)
  --rounds 5          interleaved rounds
  --seconds 3         length of one window
  --tpcb-scale 50     pgbench's scale
  --accounts 10000    customer accounts
  --bulk-items 10000  items of a bulk
  --transfers 0,1000000,5000000  of the databases of growth; of search the most
  --keep              search keeps its database, and measures the one that was kept
  --soak-minutes 60   length of the soak
  --before <tree>     another source tree of the service, its packages installed, for before, before2 and start
  --postgres debian   the PostgreSQL of /usr/lib/postgresql instead of the embedded one
  --cluster <url>     a local PostgreSQL to use instead of an embedded one; its databases bench_* are replaced
  --others-most 10    measure a window again when other processes took more percent of the machine, up to 5 times
  --chart <file>      where the chart of the layers is written (default bench/results/cpu.svg)
  --limit-minutes 300 cut the run off after this`;

const full = {
  only: names.filter((name) => !measuredIfNamed.includes(name)).join(),
  loads: loadNames.join(),
  callers: "256,1,4,16,64",
  rounds: "5",
  seconds: "3",
  "tpcb-scale": "50",
  accounts: "10000",
  "bulk-items": "10000",
  transfers: "0,1000000,5000000",
  "soak-minutes": "60",
  postgres: "embedded",
  "others-most": "10",
  chart: fileURLToPath(new URL("./results/cpu.svg", import.meta.url)),
  "limit-minutes": "300",
};
const short = {
  callers: "256",
  rounds: "2",
  seconds: "1",
  "tpcb-scale": "5",
  accounts: "2000",
  "bulk-items": "500",
  "others-most": "100",
};
/** Options of a run of nothing but `cpu`, and of one of nothing but `peers`. */
const cpu = { callers: "256", loads: "uniform" };
const peers = { callers: "1,4,16,64,256", loads: "uniform,hot" };

/** Throws, naming the option, when one cannot be read. */
export function readOptions(args: readonly string[]): Options | "help" {
  const texts = Object.fromEntries(Object.keys(full).map((name) => [name, { type: "string" }] as const));
  const flags = {
    help: { type: "boolean" },
    short: { type: "boolean" },
    keep: { type: "boolean" },
    before: { type: "string" },
    cluster: { type: "string" },
  } as const;
  const { values } = parseArgs({ args: [...args], options: { ...texts, ...flags } });
  const { help, short: isShort, keep, before, cluster, ...texted } = values as typeof values & Partial<typeof full>;
  if (help === true) return "help";
  const ofOne = { cpu, peers }[texted.only ?? ""];
  const given: typeof full = { ...full, ...(isShort === true && short), ...ofOne, ...texted };
  const number = (name: keyof typeof full, least: number, most: number) => {
    const [value = 0, ...others] = numbers(name, least, most);
    if (others.length > 0) throw new Error(`--${name} takes one number.`);
    return value;
  };
  const numbers = (name: keyof typeof full, least: number, most: number) =>
    given[name].split(",").map((text) => {
      const value = Number(text);
      if (!(value >= least && value <= most)) throw new Error(`--${name} takes ${least} to ${most}, not "${text}".`);
      return value;
    });
  const known = <Name extends string>(name: keyof typeof full, all: readonly Name[]): readonly Name[] => {
    const named = given[name].split(",");
    const unknown = named.find((text) => !all.some((one) => one === text));
    if (unknown !== undefined) throw new Error(`--${name} knows ${all.join(", ")}, not "${unknown}".`);
    return all.filter((one) => named.includes(one));
  };
  const only = known("only", names);
  const meant = [
    ...only,
    ...(only.includes("cpu") ? cpuSubjects : []),
    ...(only.includes("peers") ? peerSubjects : []),
  ];
  if (before === undefined && (only.includes("before") || only.includes("before2"))) {
    throw new Error("--only before and before2 take a source tree: --before <tree>.");
  }
  const accounts = number("accounts", 100, 1_000_000);
  return {
    subjects: subjectNames.filter((name) => meant.includes(name)),
    parts: partNames.filter((name) => only.includes(name)),
    loads: known("loads", loadNames),
    callers: numbers("callers", 1, 4_000),
    rounds: number("rounds", 1, 100),
    seconds: number("seconds", 0.5, 60),
    warmUpSeconds: isShort === true ? 1 : 8,
    tpcbScale: number("tpcb-scale", 1, 1_000),
    warmUpCalls: isShort === true ? 500 : Math.max(10_000, accounts),
    accounts,
    bulkItems: number("bulk-items", 100, 10_000),
    transfers: numbers("transfers", 0, 100_000_000),
    keepsDatabase: keep === true,
    soakMinutes: number("soak-minutes", 0.5, 10_080),
    before,
    postgres: known("postgres", postgresNames)[0] ?? "embedded",
    clusterUrl: cluster,
    othersMost: number("others-most", 1, 100) / 100,
    chart: given.chart,
    limitMinutes: number("limit-minutes", 1, 600),
  };
}
