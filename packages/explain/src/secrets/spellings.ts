/** A text as it reads once its escapes are undone, each with the places of its characters in the text itself. Pure. */

export interface Spelling {
  readonly text: string;
  /** Start in the source of what stands from `start` to `end` here, and its end. */
  place(start: number, end: number): readonly [number, number];
}

interface Unescaped extends Spelling {
  /** Where each character begins in the source, and behind the last one where it ends; undefined: at the same place. */
  readonly starts: Uint32Array | undefined;
}

/** Escapes in escapes: each one more is another reading of the whole text. */
const spellingsMax = 6;
/** Length of a client secret of 16 characters: administration takes no shorter one. */
const base64Min = 22;

const escapes: readonly (readonly [string, RegExp, (escaped: string) => string])[] = [
  ["\\", /\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g, (escaped) => String(JSON.parse(`"${escaped}"`))],
  ["%", /%[\dA-Fa-f]{2}/g, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16))],
  // Base64 is often broken into lines.
  ["\n", /\r?\n/g, () => ""],
];

/** The text itself, without its JSON and URL escapes, and what its Base64 stands for. */
export function* spellingsOf(text: string): Iterable<Spelling> {
  const found: Unescaped[] = [{ text, starts: undefined, place: (start, end) => [start, end] }];
  for (let at = 0; at < found.length; at += 1) {
    const spelling = found[at] as Unescaped;
    yield spelling;
    yield* decodedRuns(spelling);
    for (const [mark, pattern, toCharacter] of escapes) {
      if (found.length === spellingsMax || !spelling.text.includes(mark)) continue;
      const next = unescape(spelling, pattern, toCharacter);
      if (found.every((known) => known.text !== next.text)) found.push(next);
    }
  }
}

function unescape({ text, starts }: Unescaped, pattern: RegExp, toCharacter: (escaped: string) => string): Unescaped {
  const places = new Uint32Array(text.length + 1);
  const placeOf = (at: number) => (starts === undefined ? at : (starts[at] ?? 0));
  let written = 0;
  let read = 0;
  const copy = (to: number) => {
    for (; read < to; read += 1) places[written++] = placeOf(read);
  };
  const unescaped = text.replaceAll(pattern, (escaped: string, at: number) => {
    copy(at);
    const character = toCharacter(escaped);
    if (character !== "") places[written++] = placeOf(at);
    read = at + escaped.length;
    return character;
  });
  copy(text.length + 1);
  return { text: unescaped, starts: places, place: (start, end) => [places[start] ?? 0, places[end] ?? 0] };
}

const base64Run = /[\w+/-]+/g;

/** A run may begin with characters that are not of the Base64, such as a slash: it is read from each of four places. */
function* decodedRuns({ text, place }: Spelling): Iterable<Spelling> {
  if (text.length < base64Min) return;
  for (const { 0: run, index } of text.matchAll(base64Run)) {
    for (let skipped = 0; skipped < 4 && run.length - skipped >= base64Min; skipped += 1) {
      const from = index + skipped;
      yield {
        text: Buffer.from(skipped === 0 ? run : run.slice(skipped), "base64").toString("latin1"),
        place: (start, end) => place(from + Math.floor((start * 4) / 3), from + Math.ceil((end * 4) / 3)),
      };
    }
  }
}
