/** Next.js, as `app/notifications/[...path]/route.ts`; Hono, Deno and Bun call the same function with their request. */
import { receiver } from "./receiver.ts";

export const POST = receiver;
