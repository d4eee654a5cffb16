/**
 * What rows of a backup may cause. A backup records the past; it gives no right to run, send, close
 * or remove anything. A row keeps such a right only where the database being replaced has the same
 * row.
 */
import type Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { getTableColumns } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { z } from 'zod';
import { SessionName } from '../../shared/schema/session-name.ts';
import { StoredSetup } from '../../shared/schema/tasks/project-setup.ts';
import { hasTable } from './database.ts';
import { MetaStore } from './meta-store.ts';
import * as alertSchema from './alert-schema.ts';
import * as runSchema from './run-schema.ts';
import * as schema from './schema.ts';
import * as taskSchema from './task-schema.ts';
import * as usageSchema from './usage-schema.ts';

/** Rows that act on their own, and which of their columns must be the same. */
const ACTING = {
  alert_rules: {
    where: 'enabled = 1',
    same: ['id', 'filter', 'quiet_hours', 'target', 'secret', 'steps'],
  },
  alert_deliveries: { where: "state = 'waiting'", same: ['id', 'rule', 'body'] },
  sessions: { where: "status <> 'open'", same: ['name', 'cwd', 'terminal', 'identity', 'status'] },
  task_auto: {
    where: "status <> 'failed'",
    same: ['run_id', 'session_name', 'task_dir', 'agent'],
  },
  worktrees: {
    where: "state <> 'ready'",
    same: ['id', 'owner', 'repository', 'path', 'branch', 'base_commit', 'owns_branch', 'state'],
  },
  project_setups: { where: 'is_on = 1', same: ['project', 'setup'] },
  push_subscriptions: { where: '1', same: ['id', 'person', 'mark', 'endpoint', 'p256dh', 'auth'] },
} as const;
type ActingTable = keyof typeof ACTING;

/** Keys of the acting rows of each table. */
type ActingRows = Record<ActingTable, Set<string>>;

/** An alert that was on in the backup and is off now. */
export interface AlertOff {
  id: string;
  name: string;
  kind: string;
  /** A program, the origin of a URL, or a service. */
  to: string;
}

interface ActingRow {
  rowid: number;
  key: string;
}

export function actingRows(raw: Sqlite.Database): ActingRows {
  const keys = (table: ActingTable) =>
    new Set(hasTable(raw, table) ? rowsOf(raw, table).map(({ key }) => key) : []);
  return {
    alert_rules: keys('alert_rules'),
    alert_deliveries: keys('alert_deliveries'),
    sessions: keys('sessions'),
    task_auto: withoutEnded(raw, keys('task_auto')),
    worktrees: keys('worktrees'),
    project_setups: keys('project_setups'),
    push_subscriptions: keys('push_subscriptions'),
  };
}

/**
 * `raw` is the migrated backup; `known` is null when the database it replaces could not be read.
 * Returns the loops that may have ended, and the alerts that are off now.
 */
export function settleRestored(
  raw: Sqlite.Database,
  known: ActingRows | null,
  at: string,
): { ended_runs: string[]; alerts_off: AlertOff[] } {
  const others = (table: ActingTable) =>
    rowsOf(raw, table).filter(({ key }) => known?.[table].has(key) !== true);
  const change = (table: ActingTable, what: string, ...values: string[]) => {
    const update = raw.prepare(`UPDATE ${table} SET ${what} WHERE rowid = ?`);
    const rows = others(table);
    for (const { rowid } of rows) update.run(...values, rowid);
    return rows.map(({ rowid }) => rowid);
  };
  const ended_runs = others('task_auto').map(({ key }) => (JSON.parse(key) as string[])[0] ?? '');
  const off = change('alert_rules', 'enabled = 0');
  // Nothing from before the restore is sent again, not even by rules that stay on.
  raw.exec('UPDATE alert_rules SET cursor = coalesce((SELECT max(seq) FROM events), 0)');
  change('alert_deliveries', "state = 'dead', error = ?, changed_at = ?", NOT_SENT, at);
  raw.exec('UPDATE alert_incidents SET due_ms = NULL');
  change('sessions', "status = 'open'");
  change('worktrees', "state = 'ready'");
  // Their commands are those of the person who wrote the file.
  change('project_setups', 'is_on = 0');
  // A browser that was added or removed since would get what happens here, and could answer.
  const forget = raw.prepare('DELETE FROM push_subscriptions WHERE rowid = ?');
  for (const { rowid } of others('push_subscriptions')) forget.run(rowid);
  return { ended_runs, alerts_off: off.map((rowid) => alertOff(raw, rowid)) };
}

const NOT_SENT = 'restored from a backup and not sent';

/** The column that holds what no version writes; null when all are sound. */
export function unsoundColumn(raw: Sqlite.Database): string | null {
  for (const [table, column, wrong] of CHECKS) {
    const found = raw.prepare(`SELECT 1 FROM ${table} WHERE ${wrong} LIMIT 1`).get();
    if (found !== undefined) return `${table}.${column}`;
  }
  const sound = (sql: string, shape: z.ZodType) =>
    raw
      .prepare(sql)
      .pluck()
      .all()
      .every((value) => shape.safeParse(value).success);
  if (!sound('SELECT name FROM sessions', SessionName)) return 'sessions.name';
  if (!sound('SELECT target FROM alert_rules', StoredTarget)) return 'alert_rules.target';
  const setups = 'SELECT setup FROM project_setups';
  if (!sound(setups, Json.pipe(StoredSetup))) return 'project_setups.setup';
  const steps = 'SELECT steps FROM alert_rules WHERE steps IS NOT NULL';
  return sound(steps, StoredSteps) ? null : 'alert_rules.steps';
}

const TargetShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('webhook'), url: z.url() }),
  z.object({ kind: z.literal('command'), argv: z.array(z.string()).min(1) }),
  z.object({ kind: z.enum(['slack', 'discord']) }),
  z.object({ kind: z.literal('push'), to: z.string() }),
  z.object({
    kind: z.enum(['ntfy', 'telegram', 'gotify', 'pushover', 'matrix', 'email']),
    server: z.url(),
  }),
]);
const Json = z.string().transform((text): unknown => JSON.parse(text));
const StoredTarget = Json.pipe(TargetShape);
const StoredSteps = Json.pipe(
  z.array(z.object({ afterMinutes: z.int().min(1), target: TargetShape })),
);

/** Columns that are parsed wherever they are read. */
const JSON_COLUMNS = [
  'events.data',
  'sessions.identity',
  'attention.request',
  'alert_rules.filter',
  'alert_rules.quiet_hours',
  'alert_rules.target',
  'alert_rules.steps',
  'alert_incidents.body',
  'task_auto.state',
  'respawn.state',
  'tasks.plan',
  'tasks.state',
  'project_setups.setup',
  'task_inputs.images',
  'idempotency_keys.answer',
  'idempotency_keys.events',
  'placements.handover',
];

const CHECKS: [string, string, string][] = [
  ...JSON_COLUMNS.map((name): [string, string, string] => {
    const [table = '', column = ''] = name.split('.');
    return [
      table,
      column,
      `NOT json_valid(${column}) OR json_type(${column}) NOT IN ('object', 'array')`,
    ];
  }),
  ...tables().flatMap((table) =>
    Object.values(getTableColumns(table)).flatMap(
      ({ name, enumValues }): [string, string, string][] => {
        const words = (enumValues ?? []) as readonly string[];
        if (words.length === 0) return [];
        const values = words.map((value) => `'${value}'`).join(', ');
        return [[getTableConfig(table).name, name, `"${name}" NOT IN (${values})`]];
      },
    ),
  ),
];

function tables(): SQLiteTable[] {
  return [schema, alertSchema, taskSchema, usageSchema, runSchema].flatMap((each) =>
    Object.values<SQLiteTable>(each),
  );
}

function rowsOf(raw: Sqlite.Database, table: ActingTable): ActingRow[] {
  const { where, same } = ACTING[table];
  // A database that no newer version has opened lacks columns of today.
  const has = raw.prepare(`SELECT name FROM pragma_table_info('${table}')`).pluck().all();
  const columns = same.map((column) => (has.includes(column) ? column : 'NULL'));
  const key = `json_array(${columns.join(', ')})`;
  return raw
    .prepare(`SELECT rowid, ${key} AS key FROM ${table} WHERE ${where}`)
    .all() as ActingRow[];
}

/**
 * A restored database that no daemon has started on: the loops its mark names as ended do not
 * count.
 */
function withoutEnded(raw: Sqlite.Database, loops: Set<string>): Set<string> {
  const mark = new MetaStore({ query: drizzle(raw, { schema }) }).restored();
  if (mark === null) return loops;
  const has = (key: string) => mark.ended_runs?.includes((JSON.parse(key) as string[])[0] ?? '');
  return new Set([...loops].filter((key) => has(key) === false));
}

function alertOff(raw: Sqlite.Database, rowid: number): AlertOff {
  const row = raw.prepare('SELECT id, name, target FROM alert_rules WHERE rowid = ?').get(rowid);
  const { id, name, target } = row as { id: string; name: string; target: string };
  const shown = StoredTarget.parse(target);
  // The rest of a URL may be a secret.
  const { kind } = shown;
  if (shown.kind === 'webhook') return { id, name, kind, to: new URL(shown.url).origin };
  if (shown.kind === 'command') return { id, name, kind, to: shown.argv[0] ?? '' };
  if (shown.kind === 'push') return { id, name, kind, to: shown.to };
  return { id, name, kind, to: 'server' in shown ? shown.server : shown.kind };
}
