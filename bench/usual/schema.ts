/** The JSON schema of operation 17, as one writes it for Fastify. */

const text = (maxLength: number) => ({ type: "string", minLength: 1, maxLength }) as const;
const currency = { type: "string", pattern: "^[A-Z]{3}$" } as const;
const amount = {
  type: "object",
  required: ["value", "currency"],
  properties: { value: { type: "string", pattern: "^\\d{1,16}\\.\\d{2}$" }, currency },
} as const;

const fields = {
  partnerReferenceNo: text(64),
  amount,
  beneficiaryAccountNo: text(34),
  beneficiaryEmail: { type: "string", format: "email", maxLength: 50 },
  currency,
  customerReference: text(30),
  feeType: { enum: ["OUR", "BEN", "SHA"] },
  remark: text(50),
  sourceAccountNo: text(19),
  transactionDate: { type: "string", format: "date-time" },
  originatorInfos: {
    type: "array",
    items: {
      type: "object",
      required: ["originatorCustomerNo", "originatorCustomerName", "originatorBankCode"],
      properties: {
        originatorCustomerNo: text(32),
        originatorCustomerName: text(100),
        originatorBankCode: text(11),
      },
    },
  },
  additionalInfo: { type: "object", additionalProperties: true },
} as const;

export interface Transfer {
  readonly partnerReferenceNo: string;
  readonly amount: { readonly value: string; readonly currency: string };
  readonly beneficiaryAccountNo: string;
  readonly sourceAccountNo: string;
}

export const transferSchema = {
  body: {
    type: "object",
    required: ["partnerReferenceNo", "amount", "beneficiaryAccountNo", "sourceAccountNo", "transactionDate"],
    properties: fields,
  },
  response: {
    200: {
      type: "object",
      properties: {
        responseCode: { type: "string" },
        responseMessage: { type: "string" },
        referenceNo: { type: "string" },
        ...fields,
        feeType: { type: "string" },
      },
    },
  },
} as const;
