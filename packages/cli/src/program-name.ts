/** Command that a person types to run this program: hints are commands to copy. */
import { npmParent } from "@titian/server/admin";

/** In a checkout it is a script of npm. */
export function programName(): string {
  const npm = npmParent();
  if (npm === undefined) return "titian";
  return npm.isNpx ? "npx titian" : "npm run -s titian --";
}
