/** The content that the form begins with: a sample, or that of a call which is sent again. */
import type { SampleAnswer } from "@titian/sandbox/types";
import { useMemo } from "preact/hooks";
import { call } from "../../api/call.ts";
import { type Resource, useControlOnce } from "../../api/resource.ts";
import { route } from "../../routing/router.ts";
import type { Values } from "./body-form.tsx";

export function useSample(operation: string, partnerId: string): Resource<SampleAnswer> {
  const sample = useControlOnce(
    call("GET /operations/{name}/sample", { params: { name: operation }, query: { partnerId } }),
  );
  const { data } = sample;
  const { query } = route.value;
  const [again, body] = [query.get("again"), query.get("body")];
  // The form begins anew with each sample that is another one.
  const begun = useMemo(() => data && begin(data, readBody(again), readBody(body)), [data, again, body]);
  return { ...sample, data: begun };
}

/** `again` is the whole of a body, `members` are some of its members; one that is null is left out of the sample. */
function begin(sample: SampleAnswer, again: Values | undefined, members: Values | undefined): SampleAnswer {
  if (again === undefined && members === undefined) return sample;
  const { needs: _, ...rest } = sample;
  if (again !== undefined) return { ...rest, body: again };
  const given = Object.entries({ ...sample.body, ...members }).filter(([, value]) => value !== null);
  return { ...rest, body: Object.fromEntries(given) };
}

/** An address may be cut, or written by hand: undefined where it has no object. */
function readBody(text: string | null): Values | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
