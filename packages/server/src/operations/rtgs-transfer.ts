/** 22: large amounts, settled one by one. */
import { acceptAsync } from "./tell-later.ts";

export const handleRtgsTransfer = acceptAsync("rtgsTransfer");
