/** Requests as they are written. */
import type { FieldType, OperationName, RequestOf as FieldsOf, TypeOf } from "@titian/contract";
import type { RowOf } from "./names.ts";

type Members<Types extends Readonly<Record<string, FieldType>>> = {
  readonly [Name in keyof Types]?: TypeOf<Types[Name]>;
} & { readonly [name: string]: unknown };

/** A request of an operation. `additionalInfo` has the members that the provider reads, where it reads any, beside others. */
export type RequestOf<Name extends OperationName> = RowOf<Name>["about"] extends {
  readonly members: infer Types extends Readonly<Record<string, FieldType>>;
}
  ? Omit<FieldsOf<Name>, "additionalInfo"> & { readonly additionalInfo?: Members<Types> }
  : FieldsOf<Name>;
