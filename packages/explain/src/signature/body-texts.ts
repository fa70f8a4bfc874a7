/** Bodies that callers hash instead of the bytes they send: what their JSON library, editor or framework makes of them. */
import { minify } from "@titian/contract";
import { type BodyText, unusualIndents, writtenJson } from "./written-json.ts";

/** Longer bodies are hashed as received and minified alone. */
export const wholeBodyMax = 128 * 1_024;
/** Characters that are written and hashed for one explanation: a body of 64 KiB in 30 ways. */
const charactersMax = 2_097_152;

/** In the order in which callers make the mistakes, as many as there is work for. */
export function bodyTexts(body: Uint8Array): readonly BodyText[] {
  const texts: BodyText[] = [];
  let left = charactersMax;
  for (const text of allTexts(body)) {
    left -= text.text.length;
    if (left < 0) break;
    texts.push(text);
  }
  return texts;
}

function* allTexts(body: Uint8Array): Iterable<BodyText> {
  const minified = minify(body);
  yield { text: minified, id: "bodyHash.minified" };
  yield { text: "", id: "bodyHash.ofNothing" };
  if (body.length > wholeBodyMax) return;
  const text = Buffer.from(body.buffer, body.byteOffset, body.length).toString("utf8");
  yield* lineEnds(text);
  for (const empty of ["{}", "null", '""']) yield { text: empty, id: "bodyHash.ofEmpty" };
  yield { text: text.replaceAll(/\s+/g, ""), id: "bodyHash.allWhiteSpaceGone" };
  yield* writtenJson(text);
  yield { text: text.toLowerCase(), id: "bodyHash.lowerCaseBody" };
  yield { text: Buffer.from(minified).toString("utf8").toLowerCase(), id: "bodyHash.lowerCaseBody" };
  yield { text: JSON.stringify(text), id: "bodyHash.stringTwice" };
  yield { text: `\ufeff${text}`, id: "bodyHash.byteOrderMark" };
  yield { text: Buffer.from(text, "latin1"), id: "bodyHash.latin1" };
  yield* unusualIndents(text);
}

function lineEnds(text: string): readonly BodyText[] {
  const unix = text.replaceAll("\r\n", "\n");
  return [
    { text: `${text}\n`, id: "bodyHash.lineBreak" },
    { text: `${text}\r\n`, id: "bodyHash.lineBreak" },
    { text: text.trim(), id: "bodyHash.trimmed" },
    { text: unix.replaceAll("\n", "\r\n"), id: "bodyHash.crlf" },
    { text: unix, id: "bodyHash.lf" },
    // A heredoc or an editor writes its own end of the last line.
    { text: `${unix.replaceAll("\n", "\r\n")}\r\n`, id: "bodyHash.crlf" },
  ];
}
