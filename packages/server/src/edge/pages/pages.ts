/**
 * Pages served by `GET`: metrics, health, the OpenAPI document. Each page is built once and shared by all requests: those
 * that change for a second at most, the document else for the life of the process.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { LRUCache } from "lru-cache";
import type { Clock } from "../../basics/clock.ts";
import type { DocumentSource } from "./open-api.ts";

export interface Pages {
  /** The requested page; undefined when there is none. */
  find(request: IncomingMessage): AskedPage | undefined;
  /** Size of the page when it was made; 0 before. */
  bytesOf(asked: AskedPage): number;
  /** False when there is no such page: then nothing was sent. */
  send(asked: AskedPage, response: ServerResponse, correlationId: string): Promise<boolean>;
  /** The next request of each page is answered anew. */
  forget(): void;
}

export interface AskedPage {
  readonly path: string;
  /** The Host header. */
  readonly host: string | undefined;
  /** Name under which the page is kept. */
  readonly key: string;
}

interface Page {
  readonly status: number;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

const changingMs = 1_000;
/** The page that may name the address it was asked at. */
const documentPath = "/openapi.json";
/** More than there are. */
const pagesMax = 64;
/** Headers of a page that belong to its content. */
const keptHeaders = ["content-type", "cache-control"] as const;

/** The app builds the pages and never listens: only these paths reach it. */
export function createPages(app: FastifyInstance, clock: Clock, source: DocumentSource): Pages {
  const changing = new Set(["/metrics", "/health/live", "/health/ready", ...(source.rows ? [documentPath] : [])]);
  const made = new LRUCache<string, { readonly page: Page; readonly until: number }>({ max: pagesMax });
  /** Here an unknown path is kept until its 404 is there, and takes no page's place. */
  const making = new Map<string, Promise<Page>>();

  async function make({ path, host }: AskedPage): Promise<Page> {
    const asked = { method: "GET", url: path, ...(host !== undefined && { headers: { host } }) } as const;
    const { statusCode: status, headers, rawPayload: body } = await app.inject(asked);
    const kept = keptHeaders.flatMap((name) => (headers[name] === undefined ? [] : [name, String(headers[name])]));
    return { status, headers: kept, body };
  }

  function current(asked: AskedPage): Page | Promise<Page> {
    const known = made.get(asked.key);
    if (known !== undefined && clock.monotonic() < known.until) return known.page;
    return making.get(asked.key) ?? makeOnce(asked);
  }

  function makeOnce(asked: AskedPage): Promise<Page> {
    const { path, key } = asked;
    const pending = make(asked);
    making.set(key, pending);
    const end = () => making.get(key) === pending && making.delete(key);
    pending.then((page) => {
      const until = changing.has(path) ? clock.monotonic() + changingMs : Number.POSITIVE_INFINITY;
      if (end() && (page.status < 400 || changing.has(path))) made.set(key, { page, until });
    }, end);
    return pending;
  }

  return {
    find({ method, url = "", headers: { host } }) {
      if (method !== "GET" && method !== "HEAD") return undefined;
      const [path = ""] = url.split("?", 1);
      if (!changing.has(path) && path !== documentPath) return undefined;
      return { path, host, key: path === documentPath ? `${path} ${source.serverUrl(host) ?? ""}` : path };
    },
    bytesOf: ({ key }) => made.peek(key)?.page.body.length ?? 0,
    async send(asked, response, correlationId) {
      const { status, headers, body } = await current(asked);
      if (status >= 400 && !changing.has(asked.path)) return false;
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
