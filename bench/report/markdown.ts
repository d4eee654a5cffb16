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
      (quick ? ' **A quick run: good for a first look only.**' : ''),
    '',
    'How to read it: everything runs on loopback, so absolute figures say what this machine does, not what ' +
      'yours will. What carries over are the ratios: contenders take turns in rounds, a ratio compares two ' +
      'of the same round, and the one shown is the median of the rounds. Where a goal names somebody, ' +
      'it is against them in this very run. Decision 19 says how it is measured.',
    '',
    'In `fan-out`, `latency` and `memory` the log of Loopwatch lies in memory, because the others keep nothing; ' +
      'what durable appends cost stands in `log`, and `signals` is measured with them. "single" is one event ' +
      'a turn of the loop, "burst" ten. "Generator" is the processor time of the load generator; where it ' +
      'set the pace the row says so. CPU time each is that of the server for one event to one subscriber; ' +
      'on a machine that does other things too, believe it before the rates. "Undisturbed" are events ' +
      'during which neither side had to wait for its core because of others.',
    '',
    ...sections,
  ].join('\n');
}

function row(words: readonly string[]): string {
  return `| ${words.map((word) => word.replaceAll('|', '\\|')).join(' | ')} |`;
}
