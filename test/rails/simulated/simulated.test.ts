import { testRail } from "../contract/contract.ts";
import { startSimulatedSide } from "./simulated-side.ts";

for (const name of ["interbank", "rtgs", "skn"] as const) {
  testRail(`simulated ${name}`, () => startSimulatedSide(name), { sharesStore: name !== "skn" });
}
