/** The page's address: a path and a query after `#`, so that any base URL serves these pages. */
import { effect, signal } from "@preact/signals";

export interface Route {
  /** Decoded parts of the path: `#/calls/abc` is `["calls", "abc"]`. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export const route = signal<Route>(parse(location.hash));
/** Queries of pages as they were last shown in this tab, by path. */
const lastQueries = new Map<string, URLSearchParams>();

effect(() => {
  const { parts, query } = route.value;
  lastQueries.set(parts.join("/"), query);
});

addEventListener("hashchange", () => {
  route.value = parse(location.hash);
});

function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#/, "").split("?", 2);
  return { parts: path.split("/").filter(Boolean).map(decode), query: new URLSearchParams(query) };
}

/** A hand-written address may hold a stray `%`. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Query = Readonly<Record<string, string | undefined>>;

/** The address of a page, for a link; members without a value are left out. */
export function hrefOf(parts: readonly string[], query: Query = {}): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  const search = new URLSearchParams(given).toString();
  return `#/${parts.map(encodeURIComponent).join("/")}${search ? `?${search}` : ""}`;
}

/** Number of the further cell that the page shown is of, such as `1`; undefined: home. */
export function cellShown(): string | undefined {
  return route.value.query.get("cell") ?? undefined;
}

/** The way back to a page, with what was chosen on it when it was last shown. */
export function backTo(...parts: readonly string[]): string {
  return hrefOf(parts, Object.fromEntries(lastQueries.get(parts.join("/")) ?? []));
}

/** Try it, with members of a body filled in; one that is null is left out of the sample. */
export function tryHref(operation: string, partner: string, body: Readonly<Record<string, unknown>>): string {
  return hrefOf(["try", operation], { partner, body: JSON.stringify(body) });
}

/** Try it, with the whole of a body as it was sent. */
export function tryAgainHref(operation: string, partner: string, body: string): string {
  return hrefOf(["try", operation], { partner, again: body });
}

export function go(href: string): void {
  location.hash = href;
}

/** Changes the query of the page shown, without a step in the history. */
export function setQuery(query: Query): void {
  const { parts, query: old } = route.value;
  const href = hrefOf(parts, { ...Object.fromEntries(old), ...query });
  history.replaceState(history.state, "", href);
  route.value = parse(href);
}
