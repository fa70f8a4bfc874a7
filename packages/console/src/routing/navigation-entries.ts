/** Targets of the navigation. */
import { isProduction } from "../api/host.ts";
import type { IconName } from "../design/icons.tsx";
import { shell } from "../texts/shell.ts";
import { route } from "./router.ts";

export interface Entry {
  readonly parts: readonly string[];
  readonly icon: IconName;
  readonly label: string;
}

type ShellTexts = ReturnType<typeof shell>;

export function groupsOf(
  texts: ShellTexts,
): readonly { readonly title?: string; readonly entries: readonly Entry[] }[] {
  const world = (name: string, icon: IconName, label: string): Entry => ({ parts: ["world", name], icon, label });
  const home: Entry = { parts: [], icon: "home", label: texts.home };
  const acts = world("acts", "acts", texts.acts);
  const operations = [
    world("rails", "rails", isProduction() ? texts.switches : texts.rails),
    world("partners", "partners", texts.partners),
    world("operators", "operators", texts.operators),
  ];
  const money = [
    world("accounts", "accounts", texts.accounts),
    world("holds", "holds", texts.holds),
    world("transfers", "transfers", texts.transfers),
    world("payment-requests", "paymentRequests", texts.paymentRequests),
    world("bulks", "bulks", texts.bulks),
    world("notifications", "notifications", texts.notifications),
  ];
  if (isProduction()) {
    const records: Entry = { parts: ["world"], icon: "world", label: texts.records };
    return [
      { entries: [home, acts, records] },
      { title: texts.money, entries: money },
      { title: texts.operations, entries: operations },
    ];
  }
  return [
    {
      entries: [
        home,
        { parts: ["calls"], icon: "calls", label: texts.calls },
        { parts: ["try"], icon: "try", label: texts.try },
        { parts: ["world"], icon: "world", label: texts.world },
      ],
    },
    { title: texts.money, entries: money },
    { title: texts.operations, entries: [acts, ...operations] },
    {
      title: texts.simulation,
      entries: [
        world("clock", "clock", texts.clock),
        world("faults", "faults", texts.faults),
        world("audit", "audit", texts.audit),
      ],
    },
  ];
}

/** Other pages of the world, for its overview: a phone has no other list of them. */
export function worldEntries(): readonly Entry[] {
  return groupsOf(shell()).flatMap(({ title, entries }) => (title === undefined ? [] : entries));
}

/** The entry of the page shown: the one whose address is the longest beginning of the page's. */
export function isCurrent({ parts }: Entry, all: readonly Entry[]): boolean {
  const shown = route.value.parts;
  const fits = (entry: Entry): boolean =>
    entry.parts.length === 0 ? shown.length === 0 : entry.parts.every((part, at) => shown[at] === part);
  const longest = Math.max(...all.filter(fits).map((entry) => entry.parts.length));
  return parts.length === longest && parts.every((part, at) => shown[at] === part);
}
