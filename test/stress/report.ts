import type { Outcome } from './run-stress.ts';
import { type Finding, isKept } from './stage.ts';

/** One line: verdict, name, each figure with its limit, time. */
export function lineOf({ scenario, findings, tookMs }: Outcome): string {
  const verdict = findings.every(isKept) ? 'kept  ' : 'BROKEN';
  const figures = findings.map(wordsOf).join(' · ');
  return `${verdict} ${scenario}: ${figures} · ${(tookMs / 1_000).toFixed(1)} s`;
}

/** The broken limits and the operations, line by line. */
export function storyOf({ findings, operations }: Outcome): string[] {
  return [
    ...findings.filter((finding) => !isKept(finding)).map((each) => `  broken: ${wordsOf(each)}`),
    ...operations.map((operation) => `  ${operation}`),
  ];
}

function wordsOf({ what, value, unit, limit }: Finding): string {
  const measured = (amount: number) => `${round(amount)}${unit === undefined ? '' : ` ${unit}`}`;
  const bound = 'most' in limit ? `≤ ${measured(limit.most)}` : `= ${measured(limit.exactly)}`;
  return `${what} ${measured(value)} (${bound})`;
}

function round(amount: number): string {
  return Number.isInteger(amount) ? String(amount) : amount.toFixed(1);
}
