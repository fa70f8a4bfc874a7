/** Free-form parts of a request, kept in one text as they were received (spec D5). */

/** JSON text holds no raw control character but white space, so this one separates. */
const separator = "\u001d";

/** One text of all free-form parts, or undefined when the request had none. */
export function packFreeForm(parts: ReadonlyMap<string, Uint8Array>): string | undefined {
  if (parts.size === 0) return undefined;
  return [...parts].flatMap(([path, bytes]) => [path, Buffer.from(bytes).toString("utf8")]).join(separator);
}

/** The bytes of one part of a packed text. */
export function unpackFreeForm(packed: string | undefined, path: string): Buffer | undefined {
  const texts = packed?.split(separator) ?? [];
  for (let i = 0; i < texts.length; i += 2) {
    if (texts[i] === path) return Buffer.from(texts[i + 1] ?? "", "utf8");
  }
  return undefined;
}
