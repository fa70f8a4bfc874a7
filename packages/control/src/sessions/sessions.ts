/**
 * Sessions of the console's pages: a cookie instead of the control token, which no page keeps and no URL holds. It is
 * signed with a key of the data directory, so that it survives a restart; nothing is kept of it here.
 */
import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { newSecret } from "@titian/server/admin";
import type { Clock } from "@titian/server/rails";

export interface NewSession {
  /** Value of Set-Cookie. */
  readonly cookie: string;
  /** Real time (epoch ms). */
  readonly expiresAt: number;
}

export interface Sessions {
  open(): NewSession;
  /** True when a Cookie header has a session that has not expired. */
  isOpen(cookies: string | undefined): boolean;
}

const lifeMs = 12 * 3_600_000;

/** @param controlToken of the data directory: whoever has another one has other sessions */
export function createSessions(controlToken: string, clock: Pick<Clock, "real">): Sessions {
  const key = createHmac("sha256", controlToken).update("console sessions").digest();
  // Cookies are not told apart by port: each sandbox of a machine has a name of its own.
  const name = `titian-console-${hash("sha256", key, "hex").slice(0, 8)}`;
  const sign = (content: string) => createHmac("sha256", key).update(content).digest("base64url");
  return {
    open: () => {
      const expiresAt = clock.real() + lifeMs;
      const content = `${expiresAt}.${newSecret(16)}`;
      const attributes = `Path=/sandbox; Max-Age=${lifeMs / 1_000}; HttpOnly; SameSite=Strict`;
      return { cookie: `${name}=${content}.${sign(content)}; ${attributes}`, expiresAt };
    },
    isOpen: (cookies) => {
      const value = valueOf(cookies, name);
      const [, content = "", expiresAt, signature = ""] = /^((\d{1,15})\.[\w-]{22})\.([\w-]{43})$/.exec(value) ?? [];
      return Number(expiresAt) > clock.real() && isEqual(signature, sign(content));
    },
  };
}

function valueOf(cookies: string | undefined, name: string): string {
  const found = cookies?.split(";").find((cookie) => cookie.trimStart().startsWith(`${name}=`));
  return found?.trim().slice(name.length + 1) ?? "";
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
