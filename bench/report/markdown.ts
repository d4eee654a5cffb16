import type { BenchResult } from './result.ts';
import { cells } from './table.ts';

const TITLES = ['measure', 'value', 'unit', 'goal', 'verdict', 'remark'];

export function markdown({ machine, quick, parts }: BenchResult): string {
  const { processor, cores, memory_gb, system, node, tmux, pinned } = machine;
  const sections = Object.entries(parts).map(([name, figures]) => {
    const rows = figures.map((figure) => row(cells(figure)));
    return [`## ${name}`, '', row(TITLES), row(TITLES.map(() => '---')), ...rows, ''].join('\n');
  });
  return [
    '# Performance',
    '',
    '<!-- Written by `npm run bench -- --docs`; not by hand. -->',
    '',
    `One run on ${cores} cores of ${processor}, ${memory_gb} GB, ${system}, Node ${node}, tmux ${tmux}` +
      (pinned ? ', server and load generator held to a core each.' : '.') +
      (quick ? ' **A quick run: a first impression only.**' : ''),
    '',
    'How to read it: everything runs on loopback, so absolute figures hold for this machine, not for ' +
      'yours. The ratios carry over: contenders take turns in rounds, a ratio compares two ' +
      'of the same round, and the one shown is the median of the rounds. Where a goal names a ' +
      'contender, it is compared with that one in the same run. Decision 19 says how it is measured.',
    '',
    'In `fan-out`, `latency` and `memory` the log of Loopwatch is in memory, because the others keep nothing; ' +
      '`log` has the cost of durable appends, and `signals` includes it. "single" is one event per tick of ' +
      'the event loop, "burst" ten. "Generator" is the processor time of the load generator; where it ' +
      'limited the rate, the row says so. "CPU each" is the server time for one event to one subscriber; ' +
      'on a busy machine it is more reliable than the rates. "Undisturbed" are events during which neither ' +
      'side had to wait for its core because of others.',
    '',
    ...sections,
  ].join('\n');
}

function row(words: readonly string[]): string {
  return `| ${words.map((word) => word.replaceAll('|', '\\|')).join(' | ')} |`;
}
