/** The usage report as a table. */
import {
  PLAN_WINDOWS,
  type UsageFigures,
  type UsageNow,
  type UsageReport,
} from '../../../shared/schema/usage/usage.ts';
import { forecastText } from '../../../shared/words/usage/forecast-text.ts';
import { WINDOW_LABEL } from '../../../shared/words/usage/reserve-text.ts';
import { oneLine } from '../../../shared/rules/text/plain-text.ts';
import { tableLines } from './table.ts';

const MAX_KEY = 200;
const FIGURES = [
  'input',
  'output',
  'cache read',
  'cache write',
  'tokens from',
  'cost',
  'cost from',
];

export function usageTable(report: UsageReport): string[] {
  const { by, rows, totals, more } = report;
  const asOfMs = Date.parse(report.as_of);
  if (rows.length === 0) return ['no usage in these days'];
  const named = rows.map(({ key, ...figures }) => ({ name: key ?? 'unknown', figures }));
  const cells = [...named, { name: 'total', figures: totals }].map(({ name, figures }) => [
    oneLine(name, MAX_KEY),
    ...figureCells(figures, asOfMs),
  ]);
  const rest = more ? ['More rows than these; the total includes all.'] : [];
  return [...tableLines([by, ...FIGURES], cells), ...rest];
}

/** One line for each window whose burn is known. */
export function forecastLines(forecast: UsageNow['forecast']): string[] {
  return PLAN_WINDOWS.flatMap((name) => {
    const found = forecast[name];
    return found === null ? [] : [`${WINDOW_LABEL[name]}: ${forecastText(found, (at) => at)}`];
  });
}

function figureCells({ tokens, cost }: UsageFigures, asOfMs: number): string[] {
  const counts = [tokens?.input, tokens?.output, tokens?.cache_read, tokens?.cache_write];
  return [
    ...counts.map((count) => String(count ?? '-')),
    witnessText(tokens, asOfMs),
    cost === null ? '-' : `$${(cost.micro_usd / 1e6).toFixed(2)}`,
    witnessText(cost, asOfMs),
  ];
}

/** Where it was read, and how old its newest part is. */
function witnessText(
  figure: { sources: readonly string[]; latest_at: string } | null,
  asOfMs: number,
): string {
  if (figure === null) return '-';
  const sources = figure.sources.map((source) => source.replace('_', ' ')).join(', ');
  return `${sources} ${ageText(asOfMs - Date.parse(figure.latest_at))} ago`;
}

function ageText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  return seconds < 2 * 86_400
    ? `${Math.floor(seconds / 3600)} h`
    : `${Math.floor(seconds / 86_400)} days`;
}
