/** Steps of a move of an account, as statements (0062-account-moves.sql). */
import { newId } from "../../../packages/server/src/basics/ids.ts";

export const leave = (accountNo: string, move: number, to = 1) =>
  `select leave_account('${accountNo}', ${move}, ${to})`;

const terms = {
  name: "Siti",
  currency: "IDR",
  type: "S",
  partners: [],
  limits: {},
  status: "active",
  minimumBalance: "0",
};

/** From cell 1; `more`: other terms. */
export const receive = (accountNo: string, move: number, more: object = {}) =>
  `select receive_account('${JSON.stringify({ ...terms, id: newId(1), accountNo, at: 0, ...more })}', ${move}, 1)`;
