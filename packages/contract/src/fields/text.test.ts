// Goal: the rule for texts is Unicode's own list of what shows as nothing or as something else. Method: every code point
// of Unicode, alone and behind a letter, against the properties of Node's own regular expressions.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isText } from "./text.ts";

const forbidden = /[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Noncharacter_Code_Point}]/u;

test("controls, bidirectional controls, non-characters and lone surrogates are in no text; white space alone is none", () => {
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point);
    const isForbidden = forbidden.test(character);
    assert.equal(isText(`a${character}`, 2), !isForbidden, point.toString(16));
    assert.equal(isText(character, 1), !isForbidden && !/\s/.test(character), point.toString(16));
  }
});
