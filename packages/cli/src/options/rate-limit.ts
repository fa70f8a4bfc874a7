/** The limit of a partner's calls as text: `50/s,100`. */
import { rateLimitOf } from "@titian/server/admin";
import { usageError } from "../cli-error.ts";

type RateLimit = ReturnType<typeof rateLimitOf>;

const shape = /^(\d+(?:\.\d+)?)\/s(?:,(\d+))?$/;

/** null: no limit. A burst not given is one second's calls. @throws CliError */
export function readRateLimit(text: string): RateLimit | null {
  if (text === "none") return null;
  const [, perSecond, burst] = shape.exec(text) ?? [];
  if (perSecond === undefined) {
    throw usageError(`--rate-limit ${text}: give calls a second and, behind a comma, calls at once: 50/s,100; or none`);
  }
  return rateLimitOf({ perSecond: Number(perSecond), burst: burst === undefined ? undefined : Number(burst) });
}

export function writeRateLimit(limit: RateLimit | null): string {
  return limit === null ? "none" : `${limit.perSecond}/s,${limit.burst}`;
}
