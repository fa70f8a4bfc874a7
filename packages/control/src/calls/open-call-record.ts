/** The record of calls with those who follow it. */
import { createCallFeed, type CallFeed } from "./call-feed.ts";
import { type CallStreams, createCallStreams } from "./call-streams.ts";
import type { Hide } from "./show-call.ts";
import { type CallRecord, createCallRecord } from "./record-calls.ts";

export interface OpenCallRecord {
  readonly record: CallRecord;
  readonly feed: CallFeed;
  readonly streams: CallStreams;
  readonly hide: Hide;
}

export function openCallRecord(hide: Hide): OpenCallRecord {
  const record = createCallRecord();
  const feed = createCallFeed(record);
  return { record, feed, streams: createCallStreams(record, feed, hide), hide };
}
