/** The navigation: beside the page on a wide screen, below it on a phone. */
import { isProduction } from "../api/host.ts";
import { Icon, Logo } from "../design/icons.tsx";
import { type Entry, groupsOf, isCurrent } from "../routing/navigation-entries.ts";
import { hrefOf } from "../routing/router.ts";
import { shell } from "../texts/shell.ts";

export function Brand({ place }: { readonly place: "side" | "top" }) {
  return (
    <a class={`brand ${place === "top" ? "topbar-brand" : ""}`} href={hrefOf([])}>
      <Logo />
      Titian
      <small>{isProduction() ? shell().production : shell().sandbox}</small>
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
