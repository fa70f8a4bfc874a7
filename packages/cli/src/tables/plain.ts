/** What another system wrote, on one line and without control characters: it could steer the terminal. */
export function plain(text = ""): string {
  return text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, " ").trim();
}
