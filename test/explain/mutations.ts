/** Random single mutations of right calls: one character of one part, sent or signed otherwise. */
import type { Draft, Signer } from "./wrong-signer.ts";

interface Mutation {
  readonly name: string;
  /** Causes that may be named for it, besides `unknown`. */
  readonly causes: readonly string[];
  /** The member of the body that was changed, for a body that is signed as it is sent. */
  readonly member?: string;
}

type Random = (limit: number) => number;

interface Part {
  readonly name: string;
  readonly causes: readonly string[];
  /** The member that was changed, if it is one's. */
  readonly change: (draft: Draft, mutate: Mutate, own: Signer) => string | undefined | void;
}

interface Mutate {
  (text: string): string;
  /** Where the last one was. */
  readonly at: number;
}

const headers = (name: string, value: (own: Signer) => string): Part => ({
  name,
  causes: ["header"],
  change: (draft, mutate, own) => void (draft.headers = { [name]: mutate(value(own)) }),
});

const parts: readonly Part[] = [
  { name: "sent body", causes: ["bodyHash"], change: (d, mutate) => void (d.body = bytes(mutate(String(d.body)))) },
  {
    name: "hashed body",
    causes: ["bodyHash"],
    change: (d, mutate) => void (d.hashedBody = bytes(mutate(String(d.hashedBody)))),
  },
  {
    name: "hash",
    causes: ["bodyHash"],
    change: (d, mutate) => {
      const { hash } = d;
      d.hash = (body) => mutate(hash(body));
    },
  },
  { name: "sent path", causes: ["path"], change: (d, mutate) => void (d.path = mutate(d.path)) },
  { name: "signed path", causes: ["path"], change: (d, mutate) => void (d.signedPath = mutate(d.signedPath)) },
  { name: "sent method", causes: ["method"], change: (d, mutate) => void (d.method = mutate(d.method)) },
  { name: "signed method", causes: ["method"], change: (d, mutate) => void (d.signedMethod = mutate(d.method)) },
  {
    name: "sent time",
    causes: ["timestamp", "header"],
    change: (d, mutate) => void (d.timestamp = mutate(d.timestamp)),
  },
  { name: "signed time", causes: ["timestamp"], change: (d, mutate) => void (d.signedTime = mutate(d.timestamp)) },
  {
    name: "sent token",
    causes: ["token", "header"],
    change: (d, mutate) => void (d.headers = { Authorization: mutate(`Bearer ${d.token ?? "abc"}`) }),
  },
  { name: "signed token", causes: ["token"], change: (d, mutate) => void (d.signedToken = mutate(d.token ?? "")) },
  { name: "secret", causes: ["secret"], change: (d, mutate) => void (d.secret = mutate(String(d.secret))) },
  {
    name: "signature",
    causes: ["encoding"],
    change: (d, mutate) => void (d.encode = (signature) => mutate(signature.toString("base64"))),
  },
  {
    name: "joined text",
    causes: ["path", "method", "token", "bodyHash", "timestamp", "encoding"],
    change: (d, mutate) => void (d.join = (texts) => mutate(texts.join(":"))),
  },
  headers("X-PARTNER-ID", ({ partnerId }) => partnerId),
  headers("X-EXTERNAL-ID", () => "2026112100001"),
  headers("CHANNEL-ID", () => "95221"),
  headers("Content-Type", () => "application/json"),
  {
    name: "content",
    causes: ["json", "field"],
    change: (d, mutate) => {
      const text = String(d.body);
      d.body = bytes(mutate(text));
      d.hashedBody = d.body;
      return memberAt(text, mutate.at);
    },
  },
];

const bytes = (text: string) => Buffer.from(text);

/** The member of an object's text at a place. */
function memberAt(text: string, at: number): string | undefined {
  const members = Object.entries(JSON.parse(text) as Record<string, unknown>);
  let end = 1;
  for (const [name, value] of members) {
    end += JSON.stringify({ [name]: value }).length - 1;
    if (at < end) return name;
  }
  return undefined;
}

/** Changes the draft; the mutation may leave the call as right as it was. */
export function mutateDraft(draft: Draft, own: Signer, below: Random): Mutation {
  const part = parts[below(parts.length)] as Part;
  const member = part.change(draft, createMutate(below), own);
  return { name: part.name, causes: part.causes, ...(typeof member === "string" && { member }) };
}

const characters = 'aZ0/.:"{}[],\\ \n+-=_%é';

function createMutate(below: Random): Mutate {
  let place = 0;
  const mutate = (text: string): string => {
    const at = below(text.length);
    const [character = "", next = ""] = text.slice(at, at + 2);
    const other = characters[below(characters.length)] ?? "";
    const turned = character === character.toLowerCase() ? character.toUpperCase() : character.toLowerCase();
    const replacements = [other, character + other, other + character, "", character.repeat(2), turned];
    const replacement = replacements[below(replacements.length + 1)];
    place = at;
    return replacement === undefined
      ? `${text.slice(0, at)}${next}${character}${text.slice(at + 2)}`
      : `${text.slice(0, at)}${replacement}${text.slice(at + 1)}`;
  };
  return Object.defineProperty(mutate, "at", { get: () => place }) as typeof mutate & Mutate;
}
