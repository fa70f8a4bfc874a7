/**
 * The reference of a service: its pages by address, each built when it is first asked for and kept. There is a fixed number
 * of them, so that what strangers ask for costs neither time nor memory beyond it.
 */
import { createHash } from "node:crypto";
import { type OpenApiDocument, operationRows } from "@titian/contract";
import { shownDocuments } from "./documents/documents.ts";
import { type DocumentPlace, resolveLink } from "./documents/links.ts";
import { readAsset } from "./documents/read-document.ts";
import { type FrameOptions, writePage } from "./frame/frame.ts";
import { writeList, writeMarkdown } from "./frame/markdown-page.ts";
import { texts } from "./frame/texts.ts";
import { isLanguage, type Language, languages, preferredLanguage } from "./languages.ts";
import { codesPage } from "./pages/codes-page.ts";
import { type ControlCall, controlPages, controlPath } from "./pages/control-pages.ts";
import { documentPage } from "./pages/document-page.ts";
import { indexPage } from "./pages/index-page.ts";
import { missingPath, notFoundPage } from "./pages/not-found-page.ts";
import { operationPage } from "./pages/operation-page.ts";
import { searchIndex } from "./search/search-entries.ts";
import { groupNames, type SitePage } from "./site.ts";

/** Parts that the sandbox adds. */
export interface SandboxParts {
  readonly controlCalls: readonly ControlCall[];
  /** Path in front of the control calls. */
  readonly mount: string;
  /** Address of the control calls' OpenAPI document. */
  readonly document: string;
  readonly console: string;
  /** Address of the console's form, behind which the operation's name follows. */
  readonly tryOperation: string;
}

export interface ReferenceOptions {
  readonly document: OpenApiDocument;
  readonly sandbox?: SandboxParts | undefined;
}

/** Parts of a request that say which page is asked for, in which language and form. */
export interface PageRequest {
  /** Path and query. */
  readonly url: string;
  readonly accept?: string | undefined;
  readonly acceptLanguage?: string | undefined;
}

export interface ReferencePage {
  readonly status: 200 | 404;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export interface Reference {
  /** Key of the page that a request is for; undefined: the address is none of the reference's. */
  find(request: PageRequest): string | undefined;
  /** Size of a page that was built; 0 before. */
  bytesOf(key: string): number;
  /** @throws for a key that `find` did not give */
  read(key: string): ReferencePage;
  /** Addresses of all pages, without query. */
  readonly addresses: readonly string[];
}

/** Nothing inline, nothing from elsewhere, in no frame. */
const contentPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const guards = {
  "Content-Security-Policy": contentPolicy,
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
  "Referrer-Policy": "no-referrer",
} as const;

const types = {
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  css: "text/css; charset=utf-8",
  mjs: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
} as const;
type Form = keyof typeof types;

const assetNames = [
  "tokens.css",
  "reference.css",
  "content.css",
  "parts.css",
  "search.css",
  "page.mjs",
  "icon.svg",
] as const;
const root = "/docs";
const listAddress = "/llms.txt";

export function createReference(options: ReferenceOptions): Reference {
  const pages = pagesOf(options);
  const makers = new Map<string, () => ReferencePage>();
  addPages(makers, pages, options);
  addAssets(makers, options);
  makers.set(listAddress, () => finish("txt", writeList(pages)));
  const paths = new Set(pages.map(({ path }) => path));
  const made = new Map<string, ReferencePage>();
  return {
    addresses: pages.map(({ path }) => (path === "" ? root : `${root}/${path}`)),
    find: (request) => keyOf(request, paths, makers),
    bytesOf: (key) => made.get(key)?.body.length ?? 0,
    read(key) {
      const known = made.get(key);
      if (known !== undefined) return known;
      const page = makers.get(key)?.();
      if (page === undefined) throw new Error(`The reference has no page ${key}.`);
      made.set(key, page);
      return page;
    },
  };
}

function pagesOf({ document, sandbox }: ReferenceOptions): readonly SitePage[] {
  const isSandbox = sandbox !== undefined;
  const documents = shownDocuments.filter(({ isOfSandbox }) => isSandbox || !isOfSandbox).map(documentPage);
  const operations = operationRows.map((row) => operationPage(row, document, isSandbox));
  const calls = sandbox === undefined ? [] : controlPages(sandbox.controlCalls, sandbox.mount);
  const all = [...documents, ...operations, codesPage(document), ...calls];
  const ordered = groupNames.flatMap((group) => {
    const own = all.filter((page) => page.group === group);
    const isGuide = ({ isDocument }: SitePage) => isDocument === true;
    return [...own.filter(isGuide), ...own.filter((page) => !isGuide(page))];
  });
  return [indexPage(ordered), ...ordered];
}

const keyOfPage = (path: string, form: "html" | "md", language: Language): string => `${form}:${language}:${path}`;

/** Only addresses as they are written in links: others that lead to a page are none. */
function keyOf(
  { url, accept = "", acceptLanguage }: PageRequest,
  paths: ReadonlySet<string>,
  makers: ReadonlyMap<string, unknown>,
): string | undefined {
  const [path = "", query] = url.split("?", 2);
  if (makers.has(path)) return path;
  if (path !== root && !path.startsWith(`${root}/`)) return undefined;
  const asked = new URLSearchParams((query ?? "").slice(0, 200)).get("lang");
  const language = isLanguage(asked) ? asked : preferredLanguage(acceptLanguage);
  const name = path.slice(root.length + 1);
  const [, marked] = /^(.+)\.md$/.exec(name) ?? [];
  if (marked !== undefined) {
    const shown = marked === "index" ? "" : marked;
    if (paths.has(shown)) return keyOfPage(shown, "md", language);
  }
  const wantsMarkdown = accept.includes("text/markdown") && !accept.includes("text/html");
  return keyOfPage(paths.has(name) ? name : missingPath, wantsMarkdown ? "md" : "html", language);
}

function addPages(
  makers: Map<string, () => ReferencePage>,
  pages: readonly SitePage[],
  options: ReferenceOptions,
): void {
  for (const language of languages) {
    const frame = frameOptions(pages, options, language);
    for (const page of pages) {
      makers.set(keyOfPage(page.path, "html", language), () => finish("html", writePage(page, language, frame)));
      makers.set(keyOfPage(page.path, "md", language), () => finish("md", writeMarkdown(page, language, frame)));
    }
    const none = notFoundPage();
    makers.set(keyOfPage(missingPath, "html", language), () => finish("html", writePage(none, language, frame), 404));
    makers.set(keyOfPage(missingPath, "md", language), () => finish("md", writeMarkdown(none, language, frame), 404));
  }
}

function frameOptions(pages: readonly SitePage[], { sandbox }: ReferenceOptions, language: Language): FrameOptions {
  const shown = new Set(pages.map(({ path }) => path));
  const places: readonly DocumentPlace[] = [
    { path: controlPath, file: "docs/reference/control-calls.md" },
    ...shownDocuments,
  ];
  const placeOf = (wanted: string): DocumentPlace | undefined =>
    places.find(({ path, file, translation }) => shown.has(path) && (file === wanted || translation === wanted));
  return {
    pages,
    consoleAddress: sandbox?.console,
    tryAddress: sandbox?.tryOperation,
    documents: [
      { title: texts.document[language], address: "/openapi.json" },
      ...(sandbox === undefined ? [] : [{ title: texts.controlDocument[language], address: sandbox.document }]),
    ],
    assetAddress: (name) => `${root}/assets/${name}`,
    linkTo: (href, file = "") => resolveLink(href, { file, language, placeOf }),
  };
}

function addAssets(makers: Map<string, () => ReferencePage>, { document, sandbox }: ReferenceOptions): void {
  const add = (name: string, content: () => string | Buffer) =>
    makers.set(`${root}/assets/${name}`, () => finish(name.split(".").at(-1) as Form, content()));
  for (const name of assetNames) add(name, () => readAsset(name));
  const documents = shownDocuments.filter(({ isOfSandbox }) => sandbox !== undefined || !isOfSandbox);
  const searched = { document, documents, controlCalls: sandbox?.controlCalls ?? [] };
  for (const language of languages) add(`search-${language}.json`, () => searchIndex(searched, language));
}

function finish(form: Form, content: string | Buffer, status: 200 | 404 = 200): ReferencePage {
  const body = Buffer.from(content);
  const tag = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  const headers = {
    "Content-Type": types[form],
    "Cache-Control": "no-cache",
    // Weak: the same page may be sent compressed.
    ETag: `W/"${tag}"`,
    Vary: form === "html" || form === "md" ? "Accept, Accept-Encoding, Accept-Language" : "Accept-Encoding",
    ...guards,
  };
  return { status, headers, body };
}
