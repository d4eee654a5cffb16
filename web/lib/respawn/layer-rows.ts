/** What each layer of idle detection says, how much it counts, and how far all of them are. Pure. */
import { formatAge, formatClock } from '$lib/ui/format-time.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import type { RespawnTimer } from '$shared/rules/respawn-table.ts';
import type { Evidence } from '$shared/schema/evidence.ts';
import type { IdleLayer, RespawnConfig, RespawnView } from '$shared/schema/respawn.ts';
import { IDLE_LAYER_TEXT, RESPAWN_TIMER_TEXT } from '$shared/words/respawn-text.ts';

export interface LayerRow {
  layer: IdleLayer['layer'];
  label: string;
  badge: BadgeStyle;
  /** What it adds to the confidence, 0 to 100, and what it would add. */
  counts: number;
  weight: number;
  since: string | null;
  /** In one line; where the evidence would be older than the page's clock, it is said anew. */
  text: string;
  evidence: readonly Evidence[];
}

export interface TimerRow {
  timer: RespawnTimer;
  label: string;
  seconds: number;
}

const IDLE: BadgeStyle = { label: 'Idle', tone: 'good', mark: 'tick' };
const WORKING: BadgeStyle = { label: 'Working', tone: 'work', mark: 'disc' };
const NOT_YET: BadgeStyle = { label: 'Not yet', tone: 'work', mark: 'half' };
const UNKNOWN: BadgeStyle = { label: 'Unknown', tone: 'idle', mark: 'ring' };
const OFF: BadgeStyle = { label: 'Off', tone: 'idle', mark: 'dash' };
const ASKED: BadgeStyle = { label: 'Asked', tone: 'wait', mark: 'clock' };

/** `config` is null until it is read. */
export function layerRows(
  view: RespawnView,
  config: RespawnConfig | null,
  clock: number,
): LayerRow[] {
  // Visible work overrules all of them.
  const isOverruled = view.layers.some(
    ({ layer, holds }) => layer === 'no_work' && holds === false,
  );
  return view.layers.map((layer) => ({
    layer: layer.layer,
    label: IDLE_LAYER_TEXT[layer.layer],
    badge: badgeOf(layer, view, config),
    counts: layer.holds === true && !isOverruled ? layer.weight : 0,
    weight: layer.weight,
    since: layer.holds === null ? null : layer.since,
    text: textOf(layer, view, clock),
    evidence: layer.evidence === null ? [] : [layer.evidence],
  }));
}

/** Those that run, the next one first; a timer that is over waits for the daemon. */
export function timerRows({ timers }: RespawnView, clock: number): TimerRow[] {
  return timers.map(({ timer, ends_at }) => ({
    timer,
    label: RESPAWN_TIMER_TEXT[timer],
    seconds: Math.max(0, (Date.parse(ends_at) - clock) / 1000),
  }));
}

/** The share of a wait that is over, 0 to 1; null without a known end. */
export function shareOver(since: string, until: string | null, clock: number): number | null {
  if (until === null) return null;
  const start = Date.parse(since);
  const length = Date.parse(until) - start;
  return length <= 0 ? 1 : Math.min(1, Math.max(0, (clock - start) / length));
}

function badgeOf(
  { layer, holds }: IdleLayer,
  { idle_check: check }: RespawnView,
  config: RespawnConfig | null,
): BadgeStyle {
  if (layer === 'ai_verdict' && holds === null) {
    if (check.status === 'disabled' || config?.idle_check_enabled === false) return OFF;
    return check.status === 'checking' ? ASKED : UNKNOWN;
  }
  if (holds === null) return UNKNOWN;
  if (holds) return IDLE;
  return layer === 'silence' || layer === 'token_stability' ? NOT_YET : WORKING;
}

function textOf(
  { layer, since, evidence }: IdleLayer,
  { idle_check: check }: RespawnView,
  clock: number,
): string {
  if (layer === 'silence' && since !== null) {
    return `No output for ${formatAge(clock - Date.parse(since))}`;
  }
  if (layer === 'ai_verdict') {
    if (check.status === 'disabled') return `Off: ${check.disabled_reason ?? 'too many errors'}`;
    if (check.status === 'cooldown' && check.until !== null) {
      const verdict = check.verdict ?? 'an error';
      return `Pauses until ${formatClock(check.until)} after ${verdict}`;
    }
  }
  return evidence?.lines.join(' ') ?? '';
}
