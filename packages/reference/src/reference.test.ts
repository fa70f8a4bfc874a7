import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  createOpenApi,
  type Fields,
  headerNames,
  object,
  operationIn,
  type OperationRow,
  operationRows,
  optional,
  requiredHeaders,
  string,
} from "@titian/contract";
import { languages, preferredLanguage } from "./languages.ts";
import { createReference, type Reference } from "./reference.ts";

const document = createOpenApi({ pathPrefix: "/snap", version: "v1.0" });
const controlCall = {
  name: "clock move",
  method: "POST",
  path: "/clock",
  access: "act",
  does: "Moves <time>.",
  query: object({}),
  body: object({ set: optional(string({ description: "an ISO 8601 time" })) }),
  answer: object({ now: string() }),
} as const;
const sandbox = {
  controlCalls: [controlCall],
  mount: "/sandbox",
  document: "/sandbox/openapi.json",
  console: "/",
  tryOperation: "/#/try/",
};
const ofSandbox = createReference({ document, sandbox });
const ofProduction = createReference({ document });

function read(reference: Reference, url: string) {
  const key = reference.find({ url });
  assert.ok(key !== undefined, url);
  const { status, headers, body } = reference.read(key);
  return { status, headers, text: body.toString() };
}

const textOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&gt;", ">")
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");

/** Anchors of all fields, of those within lists and objects too. */
function anchorsOf(fields: Fields, path: string): readonly string[] {
  return Object.entries(fields).flatMap(([name, { type }]) => {
    const own = `${path}-${name}`;
    const inner = type.kind === "list" ? type.entry : type.kind === "any" ? (type.members ?? {}) : {};
    return [own, ...anchorsOf(inner, own)];
  });
}

/** The part of a page from an anchor to the next. */
function partAt(html: string, anchor: string): string {
  const at = html.indexOf(`id="${anchor}"`);
  assert.ok(at > 0, `nothing has the anchor ${anchor}`);
  const end = html.indexOf('<div class="', at + 1);
  return html.slice(at, end === -1 ? undefined : end);
}

for (const row of operationRows) {
  test(`${row.code}: its page has every header, field and response case, with type, presence, description and example`, () => {
    for (const language of languages) checkPage(row, read(ofSandbox, `/docs/${row.name}?lang=${language}`).text);
    const markdown = read(ofSandbox, `/docs/${row.name}.md?lang=en`).text;
    for (const name of [...Object.keys(row.request), ...Object.keys(row.response)]) {
      assert.ok(markdown.includes(`- \`${name}\` (`), name);
    }
  });
}

function checkPage(row: OperationRow, html: string): void {
  const described = operationIn(document, row.name);
  const text = textOf(html);
  for (const { name } of requiredHeaders[row.kind === "token" ? "token" : "transaction"]) {
    partAt(html, `header-${name}`);
  }
  assert.equal(html.includes(`id="header-${headerNames.authorization}"`), row.kind !== "token");
  for (const [part, fields] of Object.entries({ request: row.request, response: row.response })) {
    for (const anchor of anchorsOf(fields, part)) {
      const own = partAt(html, anchor);
      assert.match(own, /<span class="type">[^<]+<\/span>/, anchor);
      assert.match(own, /<span class="presence(?: mandatory)?">[^<]+<\/span>/, anchor);
      assert.match(own, /<p(?: lang="en")?>[^<]{8}/, `${anchor} has no description`);
      if (!/daftar|list of/.test(own)) assert.match(own, /<p class="example">/, `${anchor} has no example`);
    }
  }
  for (const { code, message } of described.responses.slice(1)) {
    const own = partAt(html, `code-${code}`);
    assert.equal([...own.matchAll(/<p><b>[^<]+<\/b> [^<]{5}/g)].length, 2, "cause and cure");
    const [, reason] = / \[([^\]]+)\]$/.exec(message) ?? [];
    if (reason !== undefined) {
      const [, meaning = ""] = own.split(`<code>[${reason}]</code></dt><dd>`);
      assert.match(meaning, /^[^<]{5}/, reason);
    }
  }
  assert.ok(text.includes(JSON.stringify(described.request, null, 2)), "the request's example");
  assert.ok(row.kind === "token" || text.includes(`/${row.path}:`), "the text to sign");
  assert.equal(html.includes(`href="/#/try/${row.name}"`), row.direction === "toProvider");
}

test("no link between pages is broken, and no anchor stands twice on a page", () => {
  for (const reference of [ofSandbox, ofProduction]) {
    const addresses = reference.addresses.flatMap((path) => languages.map((language) => `${path}?lang=${language}`));
    const texts = new Map(addresses.map((address) => [address, read(reference, address).text]));
    for (const [path, html] of texts) {
      const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      assert.deepEqual([...new Set(ids)], ids, path);
      for (const [, link = ""] of html.matchAll(/ (?:href|src|data-index)="([^"]+)"/g)) {
        const url = new URL(link, `http://host${path}`);
        if (url.host !== "host" || url.pathname === "/" || url.pathname.endsWith("/openapi.json")) continue;
        assert.equal(read(reference, `${url.pathname}${url.search}`).status, 200, `${path}: ${link}`);
        const anchor = decodeURIComponent(url.hash.slice(1));
        const target = texts.get(`${url.pathname}${url.search}`);
        if (anchor !== "" && target !== undefined) {
          assert.ok(target.includes(` id="${anchor}"`), `${path}: ${link}`);
        }
      }
    }
  }
});

test("production shows nothing of the sandbox", () => {
  for (const path of ofProduction.addresses) {
    const { text } = read(ofProduction, `${path}?lang=en`);
    assert.doesNotMatch(text, /href="\/(?:#|sandbox|"|docs\/control|docs\/guides\/(?:sandbox|operating))/, path);
  }
  assert.equal(read(ofProduction, "/docs/control").status, 404);
  assert.equal(read(ofProduction, "/docs/guides/operating").status, 404);
});

test("the search finds operations, fields, response codes, headings and control calls, at pages that have them", () => {
  for (const language of languages) {
    const index: { readonly entries: readonly (readonly string[])[] } = JSON.parse(
      read(ofSandbox, `/docs/assets/search-${language}.json`).text,
    );
    for (const words of ["amount", "4031714", "D7 Idempotency", "clock move", "403xx14"]) {
      assert.ok(
        index.entries.some(([, title = ""]) => title.startsWith(words)),
        words,
      );
    }
    const addresses = index.entries.map(([, , , address = ""]) => address);
    for (const address of addresses) {
      const { pathname, search, hash } = new URL(address, "http://host");
      const { status, text } = read(ofSandbox, `${pathname}${search}`);
      assert.equal(status, 200, address);
      if (hash !== "") assert.ok(text.includes(` id="${decodeURIComponent(hash.slice(1))}"`), address);
    }
  }
});

test("the language is that of the query, else the first of the reader's that there is; text is marked where it is another", () => {
  assert.match(read(ofSandbox, "/docs?lang=id").text, /<html lang="id">[\s\S]*Pembayaran dan transfer/);
  const asked = (acceptLanguage: string) => ofSandbox.find({ url: "/docs", acceptLanguage });
  assert.equal(asked("id-ID,id;q=0.9,en;q=0.8"), ofSandbox.find({ url: "/docs?lang=id" }));
  assert.equal(asked("fr, en;q=0.5, id;q=0.4"), ofSandbox.find({ url: "/docs?lang=en" }));
  for (const header of [undefined, "", "*", "id;q=0", ";;,,", "x".repeat(9_000)]) {
    assert.equal(preferredLanguage(header), "en", header);
  }
  assert.match(read(ofSandbox, "/docs/guides/transfers?lang=id").text, /<div class="prose document" lang="en">/);
});

test("a document that there is in Indonesian is shown, searched and written in it; its original is one link away", () => {
  const { text } = read(ofSandbox, "/docs/guides/signing?lang=id");
  assert.match(text, /<div class="prose document">/);
  assert.doesNotMatch(text, /Isi halaman ini dalam bahasa Inggris/);
  assert.match(text, /<h2 id="bagian-tanda-tangan">/);
  assert.match(text, /href="\/docs\/guides\/signing\?lang=en"/);
  assert.match(
    read(ofSandbox, "/docs/guides/signing.md?lang=id").text,
    /^# Penandatanganan permintaan\n[^]*## Bagian tanda tangan/,
  );
  assert.match(read(ofSandbox, "/docs/assets/search-id.json").text, /"Bagian tanda tangan"/);
  assert.match(read(ofSandbox, "/docs/guides/signing?lang=en").text, /<h2 id="parts-of-a-signature">/);
  // An anchor of the original leads to the original.
  const { text: linked } = read(ofSandbox, "/docs/guides/payments?lang=id");
  assert.match(linked, /href="\/docs\/guides\/signing\?lang=en#customer-token-74"/);
});

test("a page is Markdown where its address or the reader asks for it", () => {
  const { text, headers } = read(ofSandbox, "/docs/guides/transfers.md?lang=en");
  assert.match(String(headers["Content-Type"]), /^text\/markdown/);
  assert.match(text, /^# Transfers\n/);
  assert.match(text, /\]\(\/docs\/guides\/idempotency\?lang=en/);
  const request = { url: "/docs/guides/transfers?lang=en", accept: "text/markdown, text/plain;q=0.5" };
  assert.equal(ofSandbox.find(request), ofSandbox.find({ url: "/docs/guides/transfers.md?lang=en" }));
  const list = read(ofSandbox, "/llms.txt").text;
  for (const path of ofSandbox.addresses)
    assert.ok(list.includes(`(${path === "/docs" ? "/docs/index" : path}.md`), path);
});

test("other spellings of a page's address are one page that says so, whatever they are", () => {
  const missing = new Set(
    [
      "/docs/nothing",
      "/docs//codes",
      "/docs/./codes",
      "/docs/a/../codes",
      "/docs/%63odes",
      "/docs/codes/",
      "/docs/.md",
    ].map((url) => ofSandbox.find({ url })),
  );
  assert.equal(missing.size, 1);
  const { status, text } = read(ofSandbox, "/docs/nothing");
  assert.equal(status, 404);
  assert.match(text, /There is no such page/);
  for (const url of ["/doc", "/docsx", "/llms.txt/", "/"]) assert.equal(ofSandbox.find({ url }), undefined, url);
});

test("text of rows and documents is never markup", () => {
  assert.match(read(ofSandbox, "/docs/control/clock?lang=en").text, /Moves &lt;time&gt;\./);
});

test("the tokens of colour and type are the console's", () => {
  const tokensIn = (text: string) => [...text.matchAll(/--[\w-]+: [^;]+;/g)].map(([token]) => token);
  const console = readFileSync(new URL("../../console/src/styles/tokens.css", import.meta.url), "utf8");
  assert.deepEqual(tokensIn(read(ofSandbox, "/docs/assets/tokens.css").text), tokensIn(console));
});
