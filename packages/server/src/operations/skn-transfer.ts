/** 23: settled in batches. */
import { acceptAsync } from "./tell-later.ts";

export const handleSknTransfer = acceptAsync("sknTransfer");
