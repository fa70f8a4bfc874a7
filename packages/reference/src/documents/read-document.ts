/** Reads the documents: in a checkout those of the repository, in an installed package the copies beside its code. */
import { existsSync, readFileSync } from "node:fs";

const packed = new URL("../repository/", import.meta.url);
const checkout = new URL("../../../../", import.meta.url);
const root = existsSync(packed) ? packed : checkout;
const assets = new URL("../assets/", import.meta.url);

/** @param file path in the repository */
export const readDocument = (file: string): string => readFileSync(new URL(file, root), "utf8");

export const readAsset = (name: string): Buffer => readFileSync(new URL(name, assets));
