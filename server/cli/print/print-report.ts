/** The morning report for a terminal: what needs a person first, then each unit in one line. */
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import type { Report } from '../../../shared/schema/usage/report.ts';
import {
  branchText,
  NEED_TEXT,
  proofText,
  secondsText,
  totalsText,
  unitReason,
  unitState,
  usedText,
} from '../../../shared/words/work/report-text.ts';
import { tableLines } from './table.ts';
import type { TimeText } from './time-text.ts';

const MAX_CELL = 60;
const MAX_LINE = 300;

export function reportLines(report: Report, time: TimeText): string[] {
  const { since, until, needs, units, overlaps, merge_orders: orders, anomalies } = report;
  const [first, ...others] = needs;
  const line = (text: string) => oneLine(text, MAX_LINE);
  const lead =
    first === undefined
      ? ['Nothing needs you.']
      : [`${NEED_TEXT[first.kind]} first: ${line(first.title)}`, `  ${line(first.next)}`];
  const rest = others.map(({ kind, title }) => `  ${NEED_TEXT[kind]}: ${line(title)}`);
  return [
    ...lead,
    ...(rest.length === 0 ? [] : ['Then:', ...rest]),
    '',
    `${time(since)} to ${time(until)}: ${totalsText(report)}`,
    ...(units.length === 0 ? [] : ['', ...unitLines(report)]),
    ...part(
      'Unusual:',
      anomalies.map(({ text }) => line(text)),
    ),
    ...part(
      'Changed by several branches:',
      overlaps.map(({ branches, count, files: [file = ''] }) =>
        line(`${branches.join(', ')}: ${file}${count > 1 ? ` and ${count - 1} more` : ''}`),
      ),
    ),
    ...part(
      'Merge in this order:',
      orders.flatMap(({ repository, steps }) =>
        steps.map(({ branch, proven }, index) =>
          line(`${index + 1}. ${branch} (${proven ? 'verified' : 'unverified'})  ${repository}`),
        ),
      ),
    ),
  ];
}

function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((each) => `  ${each}`)];
}

function unitLines({ units }: Report): string[] {
  const head = ['work', 'state', 'proof', 'changes', 'time', 'cost'];
  const cells = units.map((unit) => {
    const reason = unitReason(unit);
    const state = unitState(unit).label;
    return [
      `${unit.kind} ${unit.name}`,
      reason === null ? state : `${state}: ${reason}`,
      proofText(unit) ?? '-',
      unit.branches.map(branchText).join('; ') || '-',
      secondsText(unit.seconds),
      usedText(unit.used.interval) ?? '-',
    ].map((cell) => oneLine(cell, MAX_CELL));
  });
  return tableLines(head, cells);
}
