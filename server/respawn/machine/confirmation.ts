/**
 * How long silence must last until the end of a turn is believed. Adapts to the agent: to how long
 * it continued after it had seemed done, the last times.
 */
import { ADAPTIVE } from '../../../shared/rules/respawn/respawn-keys.ts';
import type { Kept } from './respawn-state.ts';

/** In milliseconds; never longer than the silence that needs no other sign. */
export function confirmMs({ config, settled }: Pick<Kept, 'config' | 'settled'>): number {
  const { adaptive_confirm, completion_confirm_ms, no_output_timeout_ms } = config;
  const isAdapted = adaptive_confirm && settled.length >= ADAPTIVE.needed;
  const wanted = isAdapted ? adapted(settled, config) : completion_confirm_ms;
  return Math.min(wanted, no_output_timeout_ms);
}

/** `ms`: from the first sign that a turn is over to the last that it was not. */
export function keepSettled(kept: Kept, ms: number): void {
  kept.settled = [...kept.settled, Math.max(0, ms)].slice(-ADAPTIVE.samples);
}

function adapted(settled: readonly number[], config: Kept['config']): number {
  const sorted = settled.toSorted((a, b) => a - b);
  const rank = sorted[Math.ceil(ADAPTIVE.percentile * sorted.length) - 1] ?? 0;
  const wanted = Math.round(rank * ADAPTIVE.factor);
  return Math.min(config.adaptive_max_ms, Math.max(config.adaptive_min_ms, wanted));
}
