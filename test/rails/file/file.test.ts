import { testRail } from "../contract/contract.ts";
import { startFileSide } from "./file-side.ts";

testRail("file", startFileSide);
