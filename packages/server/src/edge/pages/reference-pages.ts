/**
 * The reference under `/docs`, and `/llms.txt`: its pages are built when they are first asked for, and kept. Where examples
 * are of what there is now, they are built again some minutes later: times in them pass, and numbers are used.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ServedPaths } from "@titian/contract";
import { createReference, type Reference, type SandboxParts } from "@titian/reference";
import type { Clock } from "../../basics/clock.ts";
import { compressedFor } from "./compressed-bodies.ts";
import { type DocumentSource, makeDocument } from "./open-api.ts";

export interface ReferencePages {
  /** Key of the page that is asked for; undefined: the request is for none. */
  find(request: IncomingMessage): string | undefined;
  /** Size of the page once it was built; 0 before. */
  bytesOf(key: string): number;
  send(key: string, request: IncomingMessage, response: ServerResponse, correlationId: string): Promise<void>;
}

interface ReferenceParts {
  readonly paths: ServedPaths;
  readonly source: DocumentSource;
  readonly sandbox: SandboxParts | undefined;
  readonly clock: Clock;
}

const renewalMs = 600_000;

export async function createReferencePages({ paths, source, sandbox, clock }: ReferenceParts): Promise<ReferencePages> {
  /** Every renewal has the same pages. */
  const first = createReference({ document: await makeDocument(paths, {}), sandbox });
  let current = first;
  let renewed: Promise<Reference> = Promise.resolve(first);
  let until = source.rows === undefined ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;

  async function renew(): Promise<Reference> {
    try {
      current = createReference({ document: await makeDocument(paths, source), sandbox });
    } catch (error) {
      until = Number.NEGATIVE_INFINITY;
      throw error;
    }
    return current;
  }

  function latest(): Promise<Reference> {
    const now = clock.monotonic();
    if (now >= until) {
      until = now + renewalMs;
      renewed = renew();
    }
    return renewed;
  }

  return {
    find({ method, url = "", headers }) {
      if (method !== "GET" && method !== "HEAD") return undefined;
      const { accept, "accept-language": acceptLanguage } = headers;
      return first.find({ url, accept, acceptLanguage });
    },
    bytesOf: (key) => current.bytesOf(key),
    async send(key, request, response, correlationId) {
      const { status, headers, body } = (await latest()).read(key);
      const own = { ...headers, "X-CORRELATION-ID": correlationId };
      if (status === 200 && request.headers["if-none-match"] === headers["ETag"]) {
        response.writeHead(304, own);
        response.end();
        return;
      }
      const short = await compressedFor(request.headers, body);
      const encoding = short && { "Content-Encoding": "gzip" };
      response.writeHead(status, { ...own, ...encoding, "Content-Length": (short ?? body).length });
      response.end(short ?? body);
    },
  };
}
