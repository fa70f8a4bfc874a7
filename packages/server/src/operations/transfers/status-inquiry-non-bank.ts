/** 53: what became of a transfer, asked by or about a party that is no bank. */
export { inquireStatus as handleStatusInquiryNonBank } from "./status-inquiry.ts";
