/** 22: large amounts, settled one by one. */
import { acceptAsync } from "./accept-async.ts";

export const handleRtgsTransfer = acceptAsync("rtgsTransfer");
