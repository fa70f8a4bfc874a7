/** 36: what became of a transfer, asked by or about a bank. */
export { inquireStatus as handleStatusInquiryBank } from "./status-inquiry.ts";
