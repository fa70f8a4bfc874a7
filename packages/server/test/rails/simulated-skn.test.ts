import { testRail } from "./contract.ts";
import { startSimulatedSide } from "./simulated-side.ts";

testRail("simulated skn", () => startSimulatedSide("skn"));
