import { barCharts } from './bar-charts.ts';
import { type Figure, verdict } from './figures.ts';
import type { MachineFacts } from './machine.ts';
import type { BenchResult } from './result.ts';
import { cells } from './table.ts';

const TITLES = ['measure', 'value', 'unit', 'goal', 'verdict', 'remark'];

const INTRO = [
  '# Performance',
  '',
  '<!-- Written by `npm run bench -- --docs`; not by hand. -->',
  '',
  'Each section says where it was measured. Everything runs on loopback, so absolute figures hold for ' +
    'that machine, not for yours. The ratios carry over: contenders take turns in rounds, a ratio compares ' +
    'two of the same round, and the one shown is the median of the rounds. Where a goal names a ' +
    'contender, it is compared with that one in the same run. Where other programs used the machine, ' +
    'nothing is judged. Decision 19 says how it is measured.',
  '',
  'In `fan-out`, `latency` and `memory` the log of Loopwatch is in memory, because the others keep nothing; ' +
    '`log` has the cost of durable appends, and `signals` includes it. "single" is one event per tick of ' +
    'the event loop, "burst" ten. "Generator" is the processor time of the load generator; where it ' +
    'limited the rate, the row says so. "CPU each" is the server time for one event to one subscriber; ' +
    'on a busy machine it is more reliable than the rates. "Undisturbed" are events during which neither ' +
    'side had to wait for its core because of others.',
  '',
  '',
].join('\n');

export function markdown(result: BenchResult): string {
  return updatedPage('', result, Object.keys(result.parts));
}

/**
 * The page with the sections of one run in place of those of the same name, or where `order` has
 * them; each says under which conditions. Other sections stay.
 */
export function updatedPage(
  page: string,
  { machine, quick, parts, noise }: BenchResult,
  order: readonly string[],
): string {
  const [, ...old] = page.split(/^(?=## )/m);
  const sections = new Map(old.map((text) => [/^## (.*)/.exec(text)?.[1] ?? '', text]));
  for (const [name, figures] of Object.entries(parts)) {
    const load = `The load was ${machine.load}${machine.first ? ', and the bench had priority' : ''}.`;
    const where = `Measured on ${conditions(machine, quick)} ${load}`;
    sections.set(
      name,
      ['## ' + name, '', where, '', ...rowsOf(figures, noise[name]), ''].join('\n'),
    );
  }
  const sorted = [...sections].sort(([one], [other]) => order.indexOf(one) - order.indexOf(other));
  return [INTRO, ...sorted.map(([, text]) => `${text.trimEnd()}\n\n`)].join('');
}

function conditions(
  { processor, cores, memory_gb, system, node, tmux, pinned }: MachineFacts,
  isQuick: boolean,
): string {
  const count = cores === 1 ? '1 core' : `${cores} cores`;
  return (
    `${count} of ${processor}, ${memory_gb} GB, ${system}, Node ${node}, tmux ${tmux}` +
    (pinned ? ', server and load generator held to a core each.' : '.') +
    (isQuick ? ' **A quick run: a first impression only.**' : '')
  );
}

function rowsOf(figures: readonly Figure[], noise: string | null = null): string[] {
  const rows = figures.map((figure) => row(cells(figure, noise)));
  const why = noise === null ? [] : ['', `Not judged: ${noise}.`];
  const notes = noise === null ? missedNotes(figures) : [];
  const head = [row(TITLES), row(TITLES.map(() => '---'))];
  return [...head, ...rows, ...why, ...notes, ...barCharts(figures)];
}

/** Why goals are missed, each reason once. */
function missedNotes(figures: readonly Figure[]): string[] {
  const reasons = figures.flatMap(({ value, goal }) =>
    goal?.ifMissed !== undefined && verdict(value, goal) !== 'met' ? [goal.ifMissed] : [],
  );
  return reasons.length === 0 ? [] : ['', ...[...new Set(reasons)].map((text) => `- ${text}`)];
}

function row(words: readonly string[]): string {
  return `| ${words.map((word) => word.replaceAll('|', '\\|')).join(' | ')} |`;
}
