/** What each layer of idle detection says, how much it counts, and how far all of them are. Pure. */
import { formatAge, formatClock } from '$lib/ui/text/format-time.ts';
import type { BadgeStyle } from '$lib/ui/tone.ts';
import { plainText } from '$shared/rules/text/plain-text.ts';
import type { RespawnTimer } from '$shared/rules/respawn/respawn-timers.ts';
import type { IdleLayer, RespawnConfig, RespawnView } from '$shared/schema/loops/respawn.ts';
import { EVIDENCE_TEXT } from '$shared/words/work/loop-text.ts';
import { IDLE_LAYER_TEXT, RESPAWN_TIMER_TEXT } from '$shared/words/work/respawn-text.ts';

export interface LayerRow {
  layer: IdleLayer['layer'];
  label: string;
  badge: BadgeStyle;
  /** What it adds to the confidence, 0 to 100, and what it would add. */
  counts: number;
  weight: number;
  /** What it rests on, since when and by which witness, in one line. */
  text: string;
}

export interface TimerRow {
  timer: RespawnTimer;
  label: string;
  seconds: number;
}

const IDLE: BadgeStyle = { label: 'Idle', tone: 'good', mark: 'tick' };
const WORKING: BadgeStyle = { label: 'Working', tone: 'work', mark: 'disc' };
const NOT_IDLE: BadgeStyle = { label: 'Not idle', tone: 'wait', mark: 'half' };
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
    badge: badgeOf(layer, view, config, isOverruled),
    counts: layer.holds === true && !isOverruled ? layer.weight : 0,
    weight: layer.weight,
    text: textOf(layer, view, clock),
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

/** The next one that leads on: no plan may show, and nothing may be stuck. */
export function nextTimer({ timers }: RespawnView): RespawnView['timers'][number] | null {
  return timers.find(({ timer }) => timer !== 'stuck' && timer !== 'auto_accept') ?? null;
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
  isOverruled: boolean,
): BadgeStyle {
  if (layer === 'ai_verdict' && holds === null) {
    if (check.status === 'disabled' || config?.idle_check_enabled === false) return OFF;
    return check.status === 'checking' ? ASKED : UNKNOWN;
  }
  if (holds === null) return UNKNOWN;
  if (holds) return IDLE;
  if (layer === 'silence' || layer === 'token_stability') return NOT_YET;
  // An agent that waits for a person or a limit does not work either.
  return isOverruled ? WORKING : NOT_IDLE;
}

/** Where the words of the evidence would be older than the page's clock, they are computed. */
function textOf(
  { layer, holds, since, evidence }: IdleLayer,
  { idle_check: check }: RespawnView,
  clock: number,
): string {
  const age = since === null || holds === null ? null : formatAge(clock - Date.parse(since));
  if (layer === 'silence' && age !== null) return `No output for ${age}`;
  if (layer === 'no_work' && holds === true) {
    return age === null ? 'No work seen' : `Last work ${age} ago`;
  }
  if (layer === 'ai_verdict' && check.status === 'disabled') {
    return `Off: ${check.disabled_reason ?? 'too many errors'}`;
  }
  if (layer === 'ai_verdict' && check.status === 'cooldown' && check.until !== null) {
    return `Pauses until ${formatClock(check.until)} after ${check.verdict ?? 'an error'}`;
  }
  if (evidence === null) return '';
  const words = plainText(evidence.lines.join(' · '));
  const parts = [
    words,
    age === null ? '' : layer === 'token_stability' ? `for ${age}` : `${age} ago`,
    `by ${EVIDENCE_TEXT[evidence.witness]}`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
