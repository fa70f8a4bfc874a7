import assert from "node:assert/strict";
import { test } from "node:test";
import { Histogram } from "../../observability/histogram.ts";
import { createMetrics } from "../../observability/metrics.ts";
import { combineMetrics, combineReadiness } from "./combine-reports.ts";

async function renderMetrics(requests: number): Promise<string> {
  const metrics = createMetrics();
  metrics.gauge({ name: "titian_a", help: "A." }, () => requests);
  metrics.counter({ name: "titian_b_total", help: "B.", labels: ["kind"] }, () => [
    { labels: { kind: 'x "{1}" y' }, value: requests },
  ]);
  const histogram = new Histogram([1]);
  histogram.observe(requests);
  metrics.histogram({ name: "titian_c_seconds", help: "C." }, () => [{ labels: {}, histogram }]);
  return metrics.render();
}

test("a metric has its samples of all workers in one group, each with its worker", async () => {
  const serving = { isServing: true, restarts: 0 };
  const text = combineMetrics([
    { ...serving, worker: 1, report: await renderMetrics(3) },
    { ...serving, worker: 2, report: await renderMetrics(4) },
    { worker: 3, isServing: false, restarts: 2, report: undefined },
  ]);
  const own = text.split("\n").filter((line) => /titian_[abcw]/.test(line));
  assert.deepEqual(own, [
    "# HELP titian_worker_up 1 when the worker answers, 0 when it is started again or stuck.",
    "# TYPE titian_worker_up gauge",
    'titian_worker_up{worker="1"} 1',
    'titian_worker_up{worker="2"} 1',
    'titian_worker_up{worker="3"} 0',
    "# HELP titian_worker_restarts_total How often the worker ended by itself and was started again.",
    "# TYPE titian_worker_restarts_total counter",
    'titian_worker_restarts_total{worker="1"} 0',
    'titian_worker_restarts_total{worker="2"} 0',
    'titian_worker_restarts_total{worker="3"} 2',
    "# HELP titian_a A.",
    "# TYPE titian_a gauge",
    'titian_a{worker="1"} 3',
    'titian_a{worker="2"} 4',
    "# HELP titian_b_total B.",
    "# TYPE titian_b_total counter",
    'titian_b_total{worker="1",kind="x \\"{1}\\" y"} 3',
    'titian_b_total{worker="2",kind="x \\"{1}\\" y"} 4',
    "# HELP titian_c_seconds C.",
    "# TYPE titian_c_seconds histogram",
    ...[1, 2].flatMap((worker) => [
      `titian_c_seconds_bucket{worker="${worker}",le="1"} 0`,
      `titian_c_seconds_bucket{worker="${worker}",le="+Inf"} 1`,
      `titian_c_seconds_sum{worker="${worker}"} ${worker + 2}`,
      `titian_c_seconds_count{worker="${worker}"} 1`,
    ]),
  ]);
});

test("a node is ready when all that serve are, and some do", () => {
  const ready = { ready: true, checks: {} };
  const one = { worker: 1, isServing: true, restarts: 0, report: ready };
  const restarted = { worker: 2, isServing: false, restarts: 1, report: undefined };
  const stuck = { worker: 2, isServing: true, restarts: 0, report: undefined };
  const stopping = { worker: 2, isServing: true, restarts: 0, report: { ready: false, checks: {} } };
  assert.equal(combineReadiness([one, restarted]).ready, true);
  for (const other of [stuck, stopping]) assert.equal(combineReadiness([one, other]).ready, false);
  assert.equal(combineReadiness([restarted]).ready, false);
});
