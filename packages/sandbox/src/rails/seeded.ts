/** Values of a simulated rail that look random and are always the same for a number: latency, trace number, names. */
import { hash } from "node:crypto";

const latencyMaxMs = 10;

/** Time that a rail that works normally takes to answer about this number: 1 to 10 ms. */
export function latencyOf(seed: string): number {
  return 1 + pick(`latency ${seed}`, latencyMaxMs);
}

/** The rail's own number of an instruction: 14 characters. */
export function traceNoOf(rail: string, referenceNo: string): string {
  const digits = BigInt(`0x${hash("sha256", `trace ${rail} ${referenceNo}`).slice(0, 12)}`) % 10n ** 12n;
  return `${rail.slice(0, 2).toUpperCase()}${digits.toString().padStart(12, "0")}`;
}

const given = ["Adi", "Ayu", "Bayu", "Citra", "Dian", "Eka", "Farhan", "Gita", "Indah", "Made", "Nur", "Putu", "Rizky"];
const middle = ["Dwi", "Tri", "Eko", "Sri", "Puspita", "Kurnia", "Ratu", "Surya", "Intan", "Bagus", "Cahya"];
const family = ["Saputra", "Wulandari", "Siregar", "Nasution", "Halim", "Permana", "Utami", "Hakim", "Lubis", "Salim"];

/** Name of the holder of an account that no scenario is about. */
export function nameOf(bankCode: string, accountNo: string): string {
  const seed = `${bankCode} ${accountNo}`;
  const one = (of: string, names: readonly string[]) => names[pick(`${of} ${seed}`, names.length)];
  return `${one("given", given)} ${one("middle", middle)} ${one("family", family)}`;
}

/** A number from 0 to `below` - 1. */
function pick(seed: string, below: number): number {
  return Number.parseInt(hash("sha256", seed).slice(0, 8), 16) % below;
}
