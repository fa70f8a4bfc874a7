/** Serves the console's pages at `/`: built files alone, with headers that keep others out. */
import { existsSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyPluginAsync, FastifyReply } from "fastify";

export interface ConsoleOptions {
  /** Answer at `/console.json`, by which the pages know which of them there are, and how to come in. */
  readonly host: "sandbox" | "production";
  /** Directory of the built pages: `index.html`, and `assets` named by their content. */
  readonly directory: string;
}

/** Nothing inline, nothing from elsewhere, in no frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "Content-Security-Policy": contentPolicy,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "X-Frame-Options": "DENY",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
} as const;

const yearSeconds = 31_536_000;

const notBuilt = `The service is running. Its console is not built in this checkout.
Build it and start the service again:

    npm run build -w @titian/console
    npm start

The interface is described at /docs, the control calls of a sandbox in docs/guides/sandbox.md.
`;

/** Where the built pages of `@titian/console` are, whether they are there or not. */
export function consoleDirectory(): string {
  try {
    return join(dirname(fileURLToPath(import.meta.resolve("@titian/console/package.json"))), "dist");
  } catch {
    return "";
  }
}

/** To be mounted at `/`. The files are those of the start: every path without one stays unknown. */
export function createConsoleRoutes({ directory, host }: ConsoleOptions): FastifyPluginAsync {
  return async (app) => {
    app.addHook("onRequest", async (_request, reply) => void reply.headers(pageHeaders));
    if (!existsSync(join(directory, "index.html"))) {
      app.get("/", (_request, reply) => sendText(reply, notBuilt));
      return;
    }
    app.get("/console.json", (_request, reply) => reply.header("Cache-Control", "no-store").send({ host }));
    await app.register(fastifyStatic, {
      root: directory,
      wildcard: false,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.header("Cache-Control", cachingOf(path)),
    });
  };
}

/** An asset of another content has another name; a page is asked for each time. */
function cachingOf(path: string): string {
  return path.includes(`${sep}assets${sep}`) ? `public, max-age=${yearSeconds}, immutable` : "no-cache";
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.type("text/plain; charset=utf-8").header("Cache-Control", "no-store").send(text);
}
