/** The entries of a range of days as text, in order of time, a page at a time. */
import type { UsageExportQuery } from '../../shared/schema/usage/usage.ts';
import type { Database } from '../db/database.ts';
import { toIso } from '../lib/clock.ts';

/** Read at once; some milliseconds. */
const PAGE = 2_000;
const DAY_MS = 86_400_000;
const END_MS = 8_640_000_000_000_000;

const COLUMNS = [
  'at',
  'source',
  'model',
  'subject',
  'project',
  'person',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'cost_micro_usd',
] as const;

type Row = Record<(typeof COLUMNS)[number], string | number | null> & { id: number; atMs: number };

/** Pages of lines; the first line of CSV names the columns. */
export function* usageLines(
  { raw }: Database,
  { since, until, format }: UsageExportQuery,
): Generator<string, void> {
  const page = raw.prepare(
    `SELECT e.id, e.at_ms AS atMs, d.source, d.model, d.subject_kind || ':' || d.subject_id AS subject,
       nullif(d.project, '') AS project, nullif(d.person, '') AS person, e.input_tokens,
       e.output_tokens, e.cache_read_tokens, e.cache_write_tokens, e.cost_micros AS cost_micro_usd
     FROM usage_entries e JOIN usage_days d ON d.id = e.sums
     WHERE (e.at_ms, e.id) > (?, ?) AND e.at_ms < ? ORDER BY e.at_ms, e.id LIMIT ${PAGE}`,
  );
  const endMs = until === undefined ? END_MS : Date.parse(until) + DAY_MS;
  let last = { atMs: since === undefined ? 0 : Date.parse(since), id: 0 };
  if (format === 'csv') yield `${COLUMNS.join(',')}\r\n`;
  const line = format === 'csv' ? csvLine : jsonLine;
  for (;;) {
    const rows = page.all(last.atMs, last.id, endMs) as Row[];
    if (rows.length > 0) yield rows.map((row) => line({ ...row, at: toIso(row.atMs) })).join('');
    const end = rows.at(-1);
    if (end === undefined || rows.length < PAGE) return;
    last = end;
  }
}

function jsonLine(row: Row): string {
  return `${JSON.stringify(Object.fromEntries(COLUMNS.map((name) => [name, row[name]])))}\n`;
}

function csvLine(row: Row): string {
  return `${COLUMNS.map((name) => csvCell(row[name])).join(',')}\r\n`;
}

/** RFC 4180. A text that a spreadsheet would run as a formula begins with an apostrophe. */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
