/**
 * Sets of characters for patterns, to stand in brackets. The documents' patterns are read alike by the engines of JavaScript,
 * Go, Java, Python, PHP and Rust: without properties and look-ahead, `\x` up to U+00FF and the characters themselves above,
 * and sets in full where `\s` and `\d` mean more in one engine than in another.
 */

/** Characters that `isText` rejects, but for those that not every language's patterns can name: surrogates, and beyond U+FFFF. */
export const forbidden = "\\x00-\\x1f\\x7f-\\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufdd0-\ufdef\ufffe\uffff";

/** White space as ECMAScript has it, but for what is forbidden. */
export const space = "\\x20\\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff";

/** All white space as ECMAScript has it. */
export const anySpace = `\\x09-\\x0d${space}`;
