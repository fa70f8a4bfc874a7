/** 22: large amounts, settled one by one. */
import { tellLater } from "./tell-later.ts";

export const handleRtgsTransfer = tellLater("rtgsTransfer");
