/** The text that a receiver verified, where its reply shows it: the part that differs from the standard's whatever the body was. */
import { hash } from "node:crypto";
import type { Saying } from "../state.ts";
import { shown } from "../shown.ts";

/** Method, path, perhaps a token, hash and time, with any spelling of the last two. */
const textForm =
  /\bPOST:([^\s:"']*):(?:[^\s:"']*:)?([^\s:"']*):(\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)/;
const hashForm = /^[0-9a-f]{64}$/;
const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/;
const hashesOfNothing: readonly string[] = ["", "{}", "null", "[]"].map((text) => hash("sha256", text));

/** `url`: where it was sent to. Undefined: the reply shows no such text, or nothing against it. */
export function explainVerifiedText(reply: string, url: string): Saying | undefined {
  // PHP writes \/ in JSON.
  const [, path = "", digest = "", time = ""] = textForm.exec(reply.replaceAll("\\/", "/")) ?? [];
  if (time === "") return undefined;
  if (/^[0-9A-F]{64}$/.test(digest) && !hashForm.test(digest)) return { id: "attempt.hashUpperCase" };
  if (!hashForm.test(digest)) return { id: "attempt.hashForm", parameters: { theirs: shown(digest) } };
  if (hashesOfNothing.includes(digest)) return { id: "attempt.hashOfNothing" };
  if (!timeForm.test(time)) return { id: "attempt.timeForm", parameters: { theirs: time } };
  const paths = pathsOf(url);
  const [withoutQuery = ""] = path.split("?", 1);
  if (paths.length === 0 || paths.includes(withoutQuery)) return undefined;
  return { id: "attempt.path", parameters: { theirs: shown(path), ours: shown(paths[0] ?? "") } };
}

/** Without the query, which is masked in what is recorded: the whole path, and that of the service alone, as either is signed. */
function pathsOf(url: string): readonly string[] {
  if (!URL.canParse(url)) return [];
  const { pathname } = new URL(url);
  return [pathname, ...(/\/v\d+(?:\.\d+)?\/[^/]+\/notify$/.exec(pathname) ?? [])];
}
