/** Stands where no rail is connected: it is down, for certain, until an operator connects one. */
import type { RailName } from "../ledger/rails/terms.ts";
import { type Rail, RailDown } from "./rail.ts";

export function createNoRail(name: RailName): Rail {
  const down = async (): Promise<never> => {
    throw new RailDown(`no ${name} rail is connected: see docs/rails.md`);
  };
  return {
    name,
    submit: down,
    inquire: down,
    inquireBeneficiary: down,
    results: async () => [],
    take: async () => undefined,
    waiting: async () => 0,
    close: async () => undefined,
  };
}
