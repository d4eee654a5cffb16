import type { Span } from './timeline.ts';

/**
 * Joins spans that are shorter than a step with their neighbours, as what took most of that time, so
 * that a range of `n` steps has at most about `2n` spans. Gaps stay. Pure.
 */
export function coarseSpans(spans: readonly Span[], stepMs: number): Span[] {
  const result: Span[] = [];
  let held: Span[] = [];
  const flush = () => {
    const joined = join(held);
    held = [];
    if (joined === null) return;
    const last = result.at(-1);
    const isSame = last?.share === joined.share && last.toMs === joined.fromMs;
    if (last !== undefined && isSame) last.toMs = joined.toMs;
    else result.push(joined);
  };
  for (const span of spans) {
    const first = held[0];
    const isApart = held.at(-1)?.toMs !== span.fromMs;
    const isLong = span.toMs - span.fromMs >= stepMs;
    if (first !== undefined && (isApart || isLong || span.toMs - first.fromMs > stepMs)) flush();
    held.push(span);
    if (isLong) flush();
  }
  flush();
  return result;
}

function join(spans: readonly Span[]): Span | null {
  const [first] = spans;
  const last = spans.at(-1);
  if (first === undefined || last === undefined) return null;
  const times = new Map<Span['share'], number>();
  for (const { share, fromMs, toMs } of spans) {
    times.set(share, (times.get(share) ?? 0) + toMs - fromMs);
  }
  const [share] = [...times].reduce((most, each) => (each[1] > most[1] ? each : most));
  return { fromMs: first.fromMs, toMs: last.toMs, share };
}
