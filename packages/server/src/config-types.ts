/** Types of variables; `description` completes "<name> must be …". */
import { type TSchema, Type } from "typebox";

export const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(schema);
export const flag = { description: "1 or 0" };
export const range = (minimum: number, maximum: number, unit: string) =>
  Type.Integer({ minimum, maximum, description: `${unit} from ${minimum} to ${maximum}` });
export const whole = (minimum: number, maximum: number, value: number, unit: string) =>
  Type.Integer({ ...range(minimum, maximum, unit), default: value });
