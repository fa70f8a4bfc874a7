/** The navigation: beside the page on a wide screen, below it on a phone. */
import { Icon, Logo, type IconName } from "../design/icons.tsx";
import { hrefOf, route } from "../routing/router.ts";
import { shell } from "../texts/shell.ts";

interface Entry {
  readonly parts: readonly string[];
  readonly icon: IconName;
  readonly label: string;
}

type ShellTexts = ReturnType<typeof shell>;

function groupsOf(texts: ShellTexts): readonly { readonly title?: string; readonly entries: readonly Entry[] }[] {
  const world = (name: string, icon: IconName, label: string): Entry => ({ parts: ["world", name], icon, label });
  return [
    {
      entries: [
        { parts: [], icon: "home", label: texts.home },
        { parts: ["calls"], icon: "calls", label: texts.calls },
        { parts: ["try"], icon: "try", label: texts.try },
        { parts: ["world"], icon: "world", label: texts.world },
      ],
    },
    {
      title: texts.money,
      entries: [
        world("accounts", "accounts", texts.accounts),
        world("holds", "holds", texts.holds),
        world("transfers", "transfers", texts.transfers),
        world("payment-requests", "paymentRequests", texts.paymentRequests),
        world("bulks", "bulks", texts.bulks),
        world("notifications", "notifications", texts.notifications),
      ],
    },
    {
      title: texts.simulation,
      entries: [
        world("clock", "clock", texts.clock),
        world("rails", "transfers", texts.rails),
        world("faults", "faults", texts.faults),
        world("audit", "audit", texts.audit),
      ],
    },
  ];
}

/** What else there is to see of the world, for its overview: a phone has no other list of it. */
export function worldEntries(): readonly Entry[] {
  return groupsOf(shell()).flatMap(({ title, entries }) => (title === undefined ? [] : entries));
}

/** The entry of the page shown: the one whose address is the longest beginning of the page's. */
function isCurrent({ parts }: Entry, all: readonly Entry[]): boolean {
  const shown = route.value.parts;
  const fits = (entry: Entry): boolean =>
    entry.parts.length === 0 ? shown.length === 0 : entry.parts.every((part, at) => shown[at] === part);
  const longest = Math.max(...all.filter(fits).map((entry) => entry.parts.length));
  return parts.length === longest && parts.every((part, at) => shown[at] === part);
}

export function Brand({ place }: { readonly place: "side" | "top" }) {
  return (
    <a class={`brand ${place === "top" ? "topbar-brand" : ""}`} href={hrefOf([])}>
      <Logo />
      Titian
      <small>{shell().sandbox}</small>
    </a>
  );
}

export function SideNavigation() {
  const texts = shell();
  const groups = groupsOf(texts);
  const all = groups.flatMap(({ entries }) => entries);
  return (
    <nav class="side" aria-label={texts.navigation}>
      <Brand place="side" />
      <div>
        {groups.map(({ title, entries }) => (
          <div key={title ?? ""} class="nav-group">
            {title !== undefined && <div class="nav-title">{title}</div>}
            <ul>
              {entries.map((entry) => (
                <li key={entry.label}>
                  <NavLink entry={entry} isCurrent={isCurrent(entry, all)} kind="nav-link" />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
      <div class="side-foot">
        <a class="row small" href="/docs">
          <Icon name="docs" />
          {texts.apiDocs}
        </a>
      </div>
    </nav>
  );
}

export function TabBar() {
  const texts = shell();
  const entries = groupsOf(texts)[0]?.entries ?? [];
  return (
    <nav class="tabbar" aria-label={texts.navigation}>
      {entries.map((entry) => (
        <NavLink key={entry.label} entry={entry} isCurrent={isCurrent(entry, entries)} />
      ))}
    </nav>
  );
}

interface NavLinkProps {
  readonly entry: Entry;
  readonly isCurrent: boolean;
  readonly kind?: string;
}

function NavLink({ entry: { parts, icon, label }, isCurrent: isShown, kind }: NavLinkProps) {
  return (
    <a class={kind} href={hrefOf(parts)} {...(isShown && { "aria-current": "page" })}>
      <Icon name={icon} />
      {label}
    </a>
  );
}
