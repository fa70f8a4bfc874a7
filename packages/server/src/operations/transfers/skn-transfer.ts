/** 23: settled in batches. */
import { acceptAsync } from "./accept-async.ts";

export const handleSknTransfer = acceptAsync("sknTransfer");
