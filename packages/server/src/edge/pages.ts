/**
 * What the service tells about itself by `GET`: metrics, health, documentation. Each page is made once and its bytes
 * are shared by all who ask: those that change at most once a second, the others for as long as the process lives.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Clock } from "../clock.ts";

export interface Pages {
  /** The path of the page that is asked for; undefined when it is none. */
  find(request: IncomingMessage): string | undefined;
  /** How large the page was when it was made; 0 before. */
  bytesOf(path: string): number;
  /** False when there is no such page: then nothing was sent. */
  send(path: string, response: ServerResponse): Promise<boolean>;
  /** The next request of each page is answered anew. */
  forget(): void;
}

interface Page {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const changing: ReadonlySet<string> = new Set(["/metrics", "/health/live", "/health/ready"]);
const changingMs = 1_000;
const unchanging = /^\/(?:openapi\.json|docs(?:\/[\w.-]+)*\/?)$/;
/** Of a page's headers those that belong to its content. */
const keptHeaders = ["content-type", "content-security-policy", "cache-control", "location"] as const;

/** The app makes the pages and never listens: nobody reaches it but by these paths. */
export function createPages(app: FastifyInstance, clock: Clock): Pages {
  const made = new Map<string, { readonly page: Promise<Page>; readonly until: number }>();
  const sizes = new Map<string, number>();

  async function make(path: string): Promise<Page> {
    const { statusCode: status, headers, rawPayload: body } = await app.inject({ method: "GET", url: path });
    const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [name, String(headers[name])]));
    return { status, headers: kept, body };
  }

  function current(path: string): Promise<Page> {
    const known = made.get(path);
    const now = clock.monotonic();
    if (known !== undefined && now < known.until) return known.page;
    const page = make(path);
    // A page that takes long to make is shared until it is there, and then for as long again.
    made.set(path, { page, until: Number.POSITIVE_INFINITY });
    const keep = (ms: number) => {
      if (made.get(path)?.page === page) made.set(path, { page, until: clock.monotonic() + ms });
    };
    page.then(
      ({ status, body }) => {
        if (status < 400) sizes.set(path, body.length);
        if (changing.has(path)) keep(changingMs);
        else if (status >= 400) made.delete(path);
      },
      () => keep(0),
    );
    return page;
  }

  return {
    find({ method, url = "" }) {
      if (method !== "GET" && method !== "HEAD") return undefined;
      const [path = ""] = url.split("?", 1);
      return changing.has(path) || unchanging.test(path) ? path : undefined;
    },
    bytesOf: (path) => sizes.get(path) ?? 0,
    async send(path, response) {
      const { status, headers, body } = await current(path);
      if (status >= 400 && !changing.has(path)) return false;
      response.writeHead(status, [...headers, "Content-Length", String(body.length)]);
      response.end(body);
      return true;
    },
    forget: () => made.clear(),
  };
}
