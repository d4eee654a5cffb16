/** All figures of the daemon, read at the moment somebody asks. Nothing of it is kept or counted here. */
import { expositionText } from './exposition-text.ts';
import type { MetricSources } from './metric-sources.ts';
import { processMetrics } from './process-metrics.ts';
import { reachMetrics } from './reach-metrics.ts';
import { workMetrics } from './work-metrics.ts';

/** Takes where the figures come from; gives the function that tells them in the text format. */
export function metricsCollector(sources: MetricSources): () => string {
  const { clock } = sources;
  const started = { atMs: clock.now(), monotonicMs: clock.monotonic() };
  return () =>
    expositionText([
      ...processMetrics(sources, started),
      ...workMetrics(sources),
      ...reachMetrics(sources.reach),
    ]);
}
