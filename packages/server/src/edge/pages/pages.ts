/**
 * Pages served by `GET`: metrics, health, documentation. Each page is built once and shared by all requests: those that
 * change for a second at most, the others for the life of the process.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";

export interface Pages {
  /** The path of the requested page; undefined when there is none. */
  find(request: IncomingMessage): string | undefined;
  /** Size of the page when it was made; 0 before. */
  bytesOf(path: string): number;
  /** False when there is no such page: then nothing was sent. */
  send(path: string, response: ServerResponse, correlationId: string): Promise<boolean>;
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
/** No segment of dots alone: such a path is another spelling of a page, and there is no end of them. */
const unchanging = /^\/(?:openapi\.json|docs(?:\/(?!\.+(?:\/|$))[\w.-]+)*\/?)$/;
/** More than there are. */
const pagesMax = 64;
/** Headers of a page that belong to its content. */
const keptHeaders = ["content-type", "content-security-policy", "cache-control", "location"] as const;

/** The app builds the pages and never listens: only these paths reach it. */
export function createPages(app: FastifyInstance, clock: Clock): Pages {
  const made = new LRUCache<string, { readonly page: Page; readonly until: number }>({ max: pagesMax });
  /** Here an unknown path is kept until its 404 is there, and takes no page's place. */
  const making = new Map<string, Promise<Page>>();

  async function make(path: string): Promise<Page> {
    const { statusCode: status, headers, rawPayload: body } = await app.inject({ method: "GET", url: path });
    const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [name, String(headers[name])]));
    return { status, headers: kept, body };
  }

  function current(path: string): Page | Promise<Page> {
    const known = made.get(path);
    if (known !== undefined && clock.monotonic() < known.until) return known.page;
    return making.get(path) ?? makeOnce(path);
  }

  function makeOnce(path: string): Promise<Page> {
    const pending = make(path);
    making.set(path, pending);
    const end = () => making.get(path) === pending && making.delete(path);
    pending.then((page) => {
      const until = changing.has(path) ? clock.monotonic() + changingMs : Number.POSITIVE_INFINITY;
      if (end() && (page.status < 400 || changing.has(path))) made.set(path, { page, until });
    }, end);
    return pending;
  }

  return {
    find({ method, url = "" }) {
      if (method !== "GET" && method !== "HEAD") return undefined;
      const [path = ""] = url.split("?", 1);
      return changing.has(path) || unchanging.test(path) ? path : undefined;
    },
    bytesOf: (path) => made.peek(path)?.page.body.length ?? 0,
    async send(path, response, correlationId) {
      const { status, headers, body } = await current(path);
      if (status >= 400 && !changing.has(path)) return false;
      const own = ["Content-Length", String(body.length), "X-CORRELATION-ID", correlationId];
      response.writeHead(status, [...headers, ...own]);
      response.end(body);
      return true;
    },
    forget() {
      made.clear();
      making.clear();
    },
  };
}
