/** A strict reader of JSON that tells where it stops and what it expected; JSON.parse tells neither reliably. */
import { isSecretName } from "../secret-names.ts";
import type { SentenceId } from "../sentences/sentences.ts";
import { shown } from "../shown.ts";

export interface JsonFaultAt {
  readonly id: SentenceId;
  /** Offset in the text, in UTF-16 units. */
  readonly offset: number;
  readonly expected?: string;
  readonly found?: string;
}

/** Legal JSON that is not read. */
export interface JsonOddity {
  readonly kind: "duplicateKey" | "forbiddenKey" | "loneSurrogate" | "tooDeep";
  readonly offset: number;
  readonly found: string;
}

export interface JsonReading {
  readonly fault: JsonFaultAt | undefined;
  /** The first of each kind. */
  readonly oddities: readonly JsonOddity[];
}

/** Deeper than any body that is read; the reader's own stack. */
const depthRead = 100;
const foundLength = 20;
const whiteSpace = /[ \t\r\n]*/y;
const escapeText = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y;
const numberText = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const numberLike = /[-+.]?[\dA-Za-z_.+-]*/y;
const word = /[A-Za-z_$][\w$]*/y;

class Stop extends Error {
  override readonly name = "Stop";
  readonly fault: JsonFaultAt;
  constructor(fault: JsonFaultAt) {
    super(fault.id);
    this.fault = fault;
  }
}

export function readJsonText(text: string, depthMax: number): JsonReading {
  const reader = new Reader(text, depthMax);
  try {
    reader.readAll();
    return { fault: undefined, oddities: reader.oddities };
  } catch (error) {
    if (error instanceof Stop) return { fault: error.fault, oddities: reader.oddities };
    throw error;
  }
}

class Reader {
  readonly oddities: JsonOddity[] = [];
  readonly #text: string;
  readonly #depthMax: number;
  #at = 0;
  /** True in the value of a member that is a secret by its name: what is found there is not told. */
  #isSecret = false;

  constructor(text: string, depthMax: number) {
    this.#text = text;
    this.#depthMax = depthMax;
  }

  readAll(): void {
    this.#readValue(0);
    this.#skip();
    if (this.#at < this.#text.length) this.#stop("json.afterEnd");
  }

  #readValue(depth: number): void {
    this.#skip();
    const character = this.#text[this.#at];
    if (character === '"') this.#readText();
    else if (character !== "{" && character !== "[") this.#readLiteral(character);
    else {
      if (depth >= this.#depthMax) this.#note("tooDeep", this.#at, character);
      if (depth >= depthRead) this.#stop("json.tooDeep");
      if (character === "{") this.#readMembers(depth + 1);
      else this.#readElements(depth + 1);
    }
  }

  #readMembers(depth: number): void {
    const names = new Set<string>();
    if (this.#isEmpty("}")) return;
    do {
      this.#skip();
      const start = this.#at;
      if (this.#text[start] !== '"') this.#readNoName();
      const name = this.#readText();
      if (names.has(name)) this.#note("duplicateKey", start, name);
      if (name === "__proto__") this.#note("forbiddenKey", start, name);
      names.add(name);
      this.#skip();
      if (this.#text[this.#at] !== ":") this.#expect(":");
      this.#at += 1;
      const isAround = this.#isSecret;
      this.#isSecret ||= isSecretName(name);
      this.#readValue(depth);
      this.#isSecret = isAround;
    } while (!this.#isEnd("}"));
  }

  #readElements(depth: number): void {
    if (this.#isEmpty("]")) return;
    do this.#readValue(depth);
    while (!this.#isEnd("]"));
  }

  /** Reads the opening bracket, and the closing one if nothing stands between them. */
  #isEmpty(bracket: "}" | "]"): boolean {
    this.#at += 1;
    this.#skip();
    if (this.#text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  /** True when the object or list ends here; otherwise a comma was read. */
  #isEnd(bracket: "}" | "]"): boolean {
    this.#skip();
    const character = this.#text[this.#at];
    if (character !== bracket && character !== ",") this.#expect(`, ${bracket}`);
    this.#at += 1;
    if (character === bracket) return true;
    this.#skip();
    if (this.#text[this.#at] === bracket) this.#stop("json.trailingComma");
    return false;
  }

  #readNoName(): never {
    if (this.#text[this.#at] === "'") this.#stop("json.singleQuote");
    const name = this.#match(word);
    return name === "" ? this.#expect('"') : this.#stop("json.unquotedKey", { found: shown(name, foundLength) });
  }

  #readText(): string {
    const start = this.#at;
    this.#at += 1;
    for (;;) {
      const character = this.#text[this.#at];
      if (character === undefined) return this.#stop("json.endsEarly", { expected: '"' });
      if (character === '"') break;
      if (character < " ") return this.#stop("json.control");
      this.#at += character === "\\" ? this.#escapeLength() : 1;
    }
    this.#at += 1;
    const source = this.#text.slice(start, this.#at);
    const value = JSON.parse(source) as string;
    if (!value.isWellFormed()) this.#note("loneSurrogate", start, source);
    return value;
  }

  #escapeLength(): number {
    const { length } = this.#match(escapeText);
    return length > 0 ? length : this.#stop("json.escape", { found: this.#text.slice(this.#at, this.#at + 2) });
  }

  #readLiteral(character: string | undefined): void {
    if (character === undefined) this.#stop("json.endsEarly", { expected: "…" });
    if (character === "'") this.#stop("json.singleQuote");
    const name = this.#match(word);
    if (name !== "" && name !== "true" && name !== "false" && name !== "null") {
      this.#stop("json.word", { found: shown(name, foundLength) });
    }
    const number = this.#match(numberText);
    const like = name === "" ? this.#match(numberLike) : name;
    if (like === "") this.#stop("json.expectedValue");
    if (name === "" && number !== like) this.#stop("json.number", { found: shown(like, foundLength) });
    this.#at += like.length;
  }

  #match(expression: RegExp): string {
    expression.lastIndex = this.#at;
    return expression.exec(this.#text)?.[0] ?? "";
  }

  #skip(): void {
    this.#at += this.#match(whiteSpace).length;
  }

  #note(kind: JsonOddity["kind"], offset: number, found: string): void {
    if (this.oddities.some((oddity) => oddity.kind === kind)) return;
    this.oddities.push({ kind, offset, found: this.#isSecret ? "…" : found });
  }

  #expect(expected: string): never {
    return this.#stop(this.#at < this.#text.length ? "json.expected" : "json.endsEarly", { expected });
  }

  #stop(id: SentenceId, more: Omit<JsonFaultAt, "id" | "offset"> = {}): never {
    const found = String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0x2026);
    const told = this.#isSecret ? { found: "…" } : {};
    throw new Stop({ id, offset: this.#at, found, ...more, ...told });
  }
}
