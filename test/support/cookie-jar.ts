/** A browser without pages: keeps cookies by origin, goes where it is sent, and submits a form that it is shown. */

export interface Visit {
  readonly status: number;
  readonly url: string;
  readonly text: string;
}

interface Init {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

export interface CookieJar {
  /** `stopAt`: an address that is not visited any more. */
  visit(url: string, stopAt?: (url: string) => boolean): Promise<Visit>;
  /** Sends the first form of a page, as its button does. */
  submit(page: Visit): Promise<Visit>;
  /** A call of a page, without following where it sends. */
  call(url: string, init?: Init): Promise<Response>;
  /** As `Set-Cookie` named them. */
  readonly cookies: ReadonlyMap<string, string>;
  /** Attributes of each cookie, as they were set last. */
  readonly attributes: ReadonlyMap<string, string>;
}

export function openCookieJar(): CookieJar {
  const byOrigin = new Map<string, Map<string, string>>();
  const cookies = new Map<string, string>();
  const attributes = new Map<string, string>();
  const keep = (origin: string, line: string) => {
    const [pair = "", ...rest] = line.split(";");
    const [name = "", value = ""] = pair.split(/=(.*)/s);
    const own = byOrigin.get(origin) ?? new Map<string, string>();
    byOrigin.set(origin, own);
    attributes.set(name, rest.join(";").trim());
    for (const jar of [own, cookies]) {
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
  };
  const call = async (url: string, init: Init = {}): Promise<Response> => {
    const { origin } = new URL(url);
    const cookie = [...(byOrigin.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { ...init, headers: { ...init.headers, cookie }, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) keep(origin, line);
    return response;
  };
  const follow = async (url: string, init: Init, stopAt: (url: string) => boolean): Promise<Visit> => {
    const response = await call(url, init);
    const text = await response.text();
    const location = response.headers.get("location");
    if (location === null) return { status: response.status, url, text };
    const next = new URL(location, url).href;
    return stopAt(next) ? { status: response.status, url: next, text } : follow(next, {}, stopAt);
  };
  return {
    cookies,
    attributes,
    call,
    visit: (url, stopAt = () => false) => follow(url, {}, stopAt),
    submit: ({ text, url }) => {
      const action = /<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? url;
      const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      const body = new URLSearchParams(fields.map(([, name = "", value = ""]): [string, string] => [name, value]));
      return follow(new URL(action, url).href, { method: "POST", body }, () => false);
    },
  };
}
