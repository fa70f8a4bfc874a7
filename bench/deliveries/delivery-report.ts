/** A run's notifications as tables: what each window took, then the comparisons within a round. */
import { formatFigure } from "../report/figures.ts";
import { markdownTable } from "../report/markdown-table.ts";
import { type Spreaded, summarize } from "../statistics.ts";
import type { Measured } from "../subject.ts";
import {
  type DeliveryMode,
  deliveryModes,
  type DeliveryRound,
  type DeliveryWindow,
  pacePerSecond,
  transferCallers,
} from "./delivery-cells.ts";

export interface DeliveryComparison {
  readonly name: string;
  readonly value: Spreaded;
  /** What the median is asked to be. */
  readonly atLeast: number;
}

const titles: Readonly<Record<DeliveryMode, string>> = {
  asymmetric: "mode 2 (RSA)",
  symmetric: "mode 1 (token and HMAC)",
};

const comparisons = [
  {
    name: "notifications a second / a bare undici loop that signs the same way",
    of: ({ service, bare }: DeliveryWindow) => service.perSecond / bare.perSecond,
    atLeast: 0.5,
  },
  {
    name: `intrabank transfers (17) a second, ${transferCallers} callers, while about ${pacePerSecond} notifications a second go out / without`,
    of: ({ transfersMeanwhile, transfersAlone }: DeliveryWindow) =>
      transfersMeanwhile.perSecond / transfersAlone.perSecond,
    atLeast: 0.8,
  },
] as const;

export function compareDeliveries(rounds: readonly DeliveryRound[]): readonly DeliveryComparison[] {
  return deliveryModes.flatMap((mode) =>
    comparisons.flatMap(({ name, of, atLeast }) => {
      const value = summarize(rounds.map((round) => of(round[mode])));
      return value === undefined ? [] : [{ name: `${titles[mode]}: ${name}`, value, atLeast }];
    }),
  );
}

const rows = [
  ["bare loop", "bare"],
  ["service", "service"],
  ["transfers (17) alone", "transfersAlone"],
  ["transfers (17) meanwhile", "transfersMeanwhile"],
] as const;

const columns = [
  { title: "a second", of: ({ perSecond }: Measured) => perSecond },
  { title: "PostgreSQL us", of: ({ postgresUs }: Measured) => postgresUs },
  { title: "Node us", of: ({ nodeUs }: Measured) => nodeUs },
  { title: "others %", of: ({ othersShare }: Measured) => othersShare && othersShare * 100 },
] as const;

export function writeDeliveryReport(rounds: readonly DeliveryRound[]): string {
  const table = deliveryModes.flatMap((mode) =>
    rows.map(([title, name]) => [
      `${titles[mode]}, ${title}`,
      ...columns.map(({ of }) => formatFigure(summarize(rounds.map((round) => of(round[mode][name]))), true)),
    ]),
  );
  const paced = deliveryModes.map((mode) => {
    const delivered = summarize(rounds.map((round) => round[mode].deliveredMeanwhile));
    return `${titles[mode]} ${formatFigure(delivered, true)}`;
  });
  const compared = compareDeliveries(rounds).map(({ name, value, atLeast }) => [
    name,
    formatFigure(value, true),
    `at least ${atLeast} ${value.median >= atLeast ? "met" : "MISSED"}`,
  ]);
  return [
    "## Notifications (76): medians, least and most of the rounds",
    markdownTable(["", ...columns.map(({ title }) => title)], table),
    `Delivered a second beside the transfers: ${paced.join("; ")}.`,
    markdownTable(["within a round", "median (least - most)", "asked"], compared),
  ].join("\n\n");
}
