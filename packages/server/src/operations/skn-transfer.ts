/** 23: settled in batches. */
import { tellLater } from "./tell-later.ts";

export const handleSknTransfer = tellLater("sknTransfer");
