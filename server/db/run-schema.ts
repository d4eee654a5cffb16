/** The data model of runs on one page. Each table is written by exactly one file, named above it. */
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Phased work and its progress. Written by runs/stores/run-store.ts. */
export const runs = sqliteTable(
  'runs',
  {
    id: text('id').primaryKey(),
    status: text('status').notNull(),
    phase: text('phase').notNull(),
    /** JSON of what a person asked for, and of where it works. */
    request: text('request').notNull(),
    /** JSON of the machine's state. */
    state: text('state').notNull(),
    /** As the agent wrote it. */
    agentPlan: text('agent_plan'),
    /** As it was accepted or edited. */
    acceptedPlan: text('accepted_plan'),
    createdBy: text('created_by'),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
  },
  (table) => [index('runs_created').on(table.createdAt)],
);

/** What the host ran to check a run, round by round. Written by runs/stores/run-check-store.ts. */
export const runChecks = sqliteTable(
  'run_checks',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    run: text('run').notNull(),
    iteration: integer('iteration').notNull(),
    type: text('type', { enum: ['regression', 'gate'] }).notNull(),
    name: text('name').notNull(),
    command: text('command').notNull(),
    status: text('status', { enum: ['pending', 'passed', 'failed', 'skipped'] }).notNull(),
    exitCode: integer('exit_code'),
    output: text('output').notNull().default(''),
    durationMs: integer('duration_ms'),
    commit: text('commit'),
    at: text('at').notNull(),
  },
  (table) => [index('run_checks_run').on(table.run, table.id)],
);
