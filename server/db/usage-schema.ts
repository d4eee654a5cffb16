/** The data model of usage on one page. Each table is written by exactly one file, named above it. */
import {
  index,
  integer,
  primaryKey,
  real,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { SUBJECT_KINDS } from '../../shared/schema/events/subject.ts';
import { QUESTION_ACTIONS, QUESTION_KINDS } from '../../shared/schema/attention/question-rule.ts';
import { BUDGET_MEASURES, BUDGET_SCOPES } from '../../shared/schema/usage/budget.ts';
import { PLAN_WINDOWS, USAGE_SOURCES } from '../../shared/schema/usage/usage.ts';

/** Tokens, and millionths of a US dollar; null where the client named no cost. */
const counts = {
  inputTokens: integer('input_tokens').notNull().default(0),
  outputTokens: integer('output_tokens').notNull().default(0),
  cacheReadTokens: integer('cache_read_tokens').notNull().default(0),
  cacheWriteTokens: integer('cache_write_tokens').notNull().default(0),
  costMicros: integer('cost_micros'),
};

/**
 * The sums of the entries of one day (UTC), source, model, subject, project and person. '' is
 * unknown. Written by usage/usage-store.ts.
 */
export const usageDays = sqliteTable(
  'usage_days',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    day: text('day').notNull(),
    source: text('source', { enum: USAGE_SOURCES }).notNull(),
    model: text('model').notNull(),
    subjectKind: text('subject_kind', { enum: SUBJECT_KINDS }).notNull(),
    subjectId: text('subject_id').notNull(),
    project: text('project').notNull(),
    person: text('person').notNull(),
    ...counts,
    /** Wall time in milliseconds of the newest entry. */
    latestMs: integer('latest_ms').notNull(),
  },
  (table) => {
    const { day, source, model, subjectKind, subjectId, project, person } = table;
    return [
      uniqueIndex('usage_days_key').on(day, source, model, subjectKind, subjectId, project, person),
    ];
  },
);

/** What was used, once each. Written by usage/usage-store.ts. */
export const usageEntries = sqliteTable(
  'usage_entries',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    /** Of the message or result it was read from; null where nothing can repeat it. */
    key: text('key').unique(),
    /** The row of `usage_days` that includes it. */
    sums: integer('sums').notNull(),
    ...counts,
    atMs: integer('at_ms').notNull(),
  },
  (table) => [index('usage_entries_at').on(table.atMs, table.id)],
);

/** Messages that the result of a turn includes. Written by usage/usage-store.ts. */
export const usageClaims = sqliteTable('usage_claims', { key: text('key').primaryKey() });

/** The last total a status line reported. Written by usage/usage-store.ts. */
export const usageMeters = sqliteTable('usage_meters', {
  /** A conversation or a process. */
  key: text('key').primaryKey(),
  costMicros: integer('cost_micros').notNull(),
});

/** Conversations whose transcripts are read. Written by usage/conversation-store.ts. */
export const usageConversations = sqliteTable(
  'usage_conversations',
  {
    id: text('id').primaryKey(),
    subjectKind: text('subject_kind', { enum: SUBJECT_KINDS }).notNull(),
    subjectId: text('subject_id').notNull(),
    project: text('project').notNull(),
    person: text('person').notNull(),
    /** Messages before this wall time in milliseconds are not counted. */
    sinceMs: integer('since_ms').notNull(),
    reading: text('reading', { enum: ['live', 'held', 'covered', 'lost', 'closed'] }).notNull(),
  },
  ({ reading }) => [index('usage_conversations_reading').on(reading)],
);

/** How far each transcript was read. Written by usage/conversation-store.ts. */
export const usageFiles = sqliteTable('usage_files', {
  path: text('path').primaryKey(),
  identity: text('identity').notNull(),
  offset: integer('offset').notNull(),
  isInside: integer('is_inside', { mode: 'boolean' }).notNull(),
});

/**
 * The newest reading of each window of the plan. Written by usage/plan-windows.ts.
 */
export const planWindows = sqliteTable('plan_windows', {
  name: text('name', { enum: PLAN_WINDOWS }).primaryKey(),
  /** 0 to 100, or more where the client says so. */
  usedPercent: real('used_percent').notNull(),
  /** Wall times in milliseconds. */
  resetsAtMs: integer('resets_at_ms').notNull(),
  readAtMs: integer('read_at_ms').notNull(),
  /** The session whose client wrote it. */
  session: text('session').notNull(),
});

/**
 * Time at work of one day (UTC), subject, project and person. '' is unknown. Written by
 * budgets/budget-store.ts.
 */
export const usageWorked = sqliteTable(
  'usage_worked',
  {
    day: text('day').notNull(),
    subjectKind: text('subject_kind', { enum: SUBJECT_KINDS }).notNull(),
    subjectId: text('subject_id').notNull(),
    project: text('project').notNull(),
    person: text('person').notNull(),
    workedMs: integer('worked_ms').notNull(),
  },
  ({ day, subjectKind, subjectId, project, person }) => [
    primaryKey({ columns: [day, subjectKind, subjectId, project, person] }),
  ],
);

/** Limits that hold before each dispatch. Written by budgets/budget-store.ts. */
export const budgets = sqliteTable(
  'budgets',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    scopeKind: text('scope_kind', { enum: BUDGET_SCOPES }).notNull(),
    /** A session, name, id or path; '' where the kind is the scope. */
    scopeId: text('scope_id').notNull(),
    measure: text('measure', { enum: BUDGET_MEASURES }).notNull(),
    /** Millionths of a US dollar, output tokens, or milliseconds. */
    limit: integer('limit').notNull(),
    /** The first day (UTC) that counts; '' counts from the beginning. */
    since: text('since').notNull(),
    /** The most one dispatch has used so far; what one at work is expected to use. */
    greatest: integer('greatest').notNull(),
    /** Who set or raised it last, why, and when. */
    author: text('author').notNull(),
    why: text('why').notNull(),
    changedAt: text('changed_at').notNull(),
  },
  ({ scopeKind, scopeId, measure }) => [
    uniqueIndex('budgets_scope').on(scopeKind, scopeId, measure),
  ],
);

/** What is kept of the plan's windows for people; one row or none. Written by reserve/reserve-store.ts. */
export const reservePolicies = sqliteTable('reserve_policies', {
  id: integer('id').primaryKey(),
  /** JSON of `ReservePolicy`. */
  policy: text('policy').notNull(),
  author: text('author').notNull(),
  changedAt: text('changed_at').notNull(),
});

/** What happens to questions that no person answers. Written by questions/question-rule-store.ts. */
export const questionRules = sqliteTable(
  'question_rules',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    scope: text('scope').notNull(),
    kind: text('kind', { enum: QUESTION_KINDS }).notNull(),
    action: text('action', { enum: QUESTION_ACTIONS }).notNull(),
    afterMinutes: integer('after_minutes').notNull(),
    isOn: integer('is_on', { mode: 'boolean' }).notNull(),
    triedAt: text('tried_at'),
    author: text('author').notNull(),
    changedAt: text('changed_at').notNull(),
  },
  ({ scope, kind }) => [uniqueIndex('question_rules_scope').on(scope, kind)],
);

/** Past readings of the plan's windows. Written by usage/window-samples.ts. */
export const windowReadings = sqliteTable(
  'window_readings',
  {
    name: text('name', { enum: PLAN_WINDOWS }).notNull(),
    atMs: integer('at_ms').notNull(),
    usedPercent: real('used_percent').notNull(),
    resetsAtMs: integer('resets_at_ms').notNull(),
  },
  ({ name, atMs }) => [primaryKey({ columns: [name, atMs] })],
);
