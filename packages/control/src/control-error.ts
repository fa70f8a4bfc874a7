/** Error of a control call that was not carried out: a status, and one JSON shape for all of them. */
import type { AdminRejection, AdminResult } from "@titian/server/admin";

export interface ErrorBody {
  readonly error: {
    readonly code: string;
    /** Sentence that says what is wrong and what to do. */
    readonly message: string;
    /** Input field it is about: a member of the body, of the query, or a part of the path. */
    readonly field?: string;
    /** Act that it is about: one that waits for its approval, stands in the way, or has ended. */
    readonly actId?: string;
    /** The further cell that has the act; absent: home. */
    readonly cell?: number;
  };
}

export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly status: number;
  body: ErrorBody;
  constructor(status: number, code: string, message: string, field?: string, actId?: string) {
    super(message);
    this.status = status;
    this.body = errorBody(code, message, field, actId);
  }

  /** Names the further cell in which the call was made, where the error is about an act. Commands on the act name it, too. */
  nameCell(cell: number): void {
    const { error } = this.body;
    if (error.actId === undefined) return;
    const message = error.message.replaceAll("titian act ", `titian --cell ${cell} act `);
    this.body = { error: { ...error, message, cell } };
  }
}

export function errorBody(code: string, message: string, field?: string, actId?: string): ErrorBody {
  return { error: { code, message, ...(field !== undefined && { field }), ...(actId !== undefined && { actId }) } };
}

export function invalidField(field: string, message: string): ControlError {
  return new ControlError(400, "invalidField", message, field);
}

export function unknownAccount(accountNo: string): ControlError {
  return new ControlError(404, "unknownAccount", `There is no account ${accountNo}.`, "accountNo");
}

export function unknownPartner(partnerId: string): ControlError {
  return new ControlError(404, "unknownPartner", `There is no partner ${partnerId}.`, "partnerId");
}

const statuses = {
  invalidField: 400,
  tooLarge: 400,
  overAvailable: 409,
  accountInactive: 409,
  accountDormant: 409,
  accountNotPermitted: 409,
  unknownAccount: 404,
  unknownPartner: 404,
  unknownOperator: 404,
  unknownMerchant: 404,
  accountExists: 409,
  accountInUse: 409,
  accountClosed: 409,
  accountMoved: 409,
  referenceUsed: 409,
  partnerExists: 409,
  merchantExists: 409,
  actOpen: 409,
  actEnded: 409,
  notPermitted: 403,
  reasonMissing: 400,
  // Nothing is wrong, and nothing was done yet.
  waitsForApproval: 202,
} as const satisfies Record<AdminRejection["kind"], number>;

/** Value of a command that was carried out. @throws ControlError of one that was rejected */
export function valueOf<Value>(result: AdminResult<Value>): Value {
  if (result.ok) return result.value;
  throw controlErrorOf(result.rejection);
}

export function controlErrorOf({
  kind,
  message,
  field,
  actId,
}: Pick<AdminRejection, "kind" | "message" | "field" | "actId">): ControlError {
  return new ControlError(statuses[kind], kind, message, field, actId);
}
