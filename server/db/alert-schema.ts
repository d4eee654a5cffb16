/** The data model of alerts. Each table is written by exactly one file, named above it. */
import { isNotNull } from 'drizzle-orm';
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Which events are sent where. Written by alerts/alert-rule-store.ts. */
export const alertRules = sqliteTable('alert_rules', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  enabled: integer('enabled', { mode: 'boolean' }).notNull(),
  /** JSON of what selects events: types, sessions, reasons. */
  filter: text('filter').notNull(),
  quietHours: text('quiet_hours'),
  target: text('target').notNull(),
  /** How long events of one cause are collected for one delivery; null: each has its own. */
  digestMinutes: integer('digest_minutes'),
  /** Signs what a webhook receives; null for a command. */
  secret: text('secret'),
  /** JSON of who is next without an acknowledgement, secrets included; null without steps. */
  steps: text('steps'),
  /** Events up to this seq have their deliveries, or did not match. */
  cursor: integer('cursor').notNull(),
  createdAt: text('created_at').notNull(),
});

/**
 * What one rule sends at once: an event, or several of one cause, and the state of the delivery.
 * Written by alerts/alert-delivery-store.ts.
 */
export const alertDeliveries = sqliteTable(
  'alert_deliveries',
  {
    /** Derived from rule, epoch and the seq of its first event: an event is in one row per rule. */
    id: text('id').primaryKey(),
    rule: text('rule').notNull(),
    seq: integer('seq').notNull(),
    type: text('type').notNull(),
    session: text('session'),
    task: text('task'),
    reason: text('reason'),
    /** The exact bytes to send: the event may be pruned before. */
    body: text('body').notNull(),
    /** What events must share to be collected; null: this row is of one event. */
    cause: text('cause'),
    /** Events of the same cause are still added to it. */
    collects: integer('collects', { mode: 'boolean' }).notNull().default(false),
    events: integer('events').notNull().default(1),
    /** Until then the next events of the cause wait, wall time in milliseconds. */
    windowMs: integer('window_ms'),
    /** What it belongs to; null when the rule has no steps. */
    incident: text('incident'),
    /** The step whose target gets it; 0: the target of the rule. */
    step: integer('step').notNull().default(0),
    state: text('state', { enum: ['waiting', 'sent', 'dead'] }).notNull(),
    attempts: integer('attempts').notNull().default(0),
    status: integer('status'),
    error: text('error'),
    output: text('output'),
    /** Wall time in milliseconds. */
    dueMs: integer('due_ms').notNull(),
    createdAt: text('created_at').notNull(),
    changedAt: text('changed_at').notNull(),
  },
  (table) => [
    index('alert_deliveries_rule').on(table.rule, table.state, table.seq),
    index('alert_deliveries_seq').on(table.seq),
    index('alert_deliveries_cause')
      .on(table.rule, table.cause, table.seq)
      .where(isNotNull(table.cause)),
  ],
);

/**
 * One event of a rule with steps, until a person acknowledges it. Written by
 * alerts/incident-store.ts.
 */
export const alertIncidents = sqliteTable(
  'alert_incidents',
  {
    /** The id of its first delivery. */
    id: text('id').primaryKey(),
    rule: text('rule').notNull(),
    seq: integer('seq').notNull(),
    type: text('type').notNull(),
    session: text('session'),
    task: text('task'),
    reason: text('reason'),
    title: text('title').notNull(),
    /** The inbox item that the event raised. */
    item: text('item'),
    /** For the deliveries of later steps. */
    body: text('body').notNull(),
    /** The last step that began. */
    step: integer('step').notNull().default(0),
    /** When the next step begins, wall time in milliseconds; null: none does. */
    dueMs: integer('due_ms'),
    openedAt: text('opened_at').notNull(),
    acknowledgedAt: text('acknowledged_at'),
    acknowledgedBy: text('acknowledged_by'),
    acknowledgedVia: text('acknowledged_via', { enum: ['person', 'link', 'inbox'] }),
  },
  (table) => [
    index('alert_incidents_due').on(table.dueMs),
    index('alert_incidents_open').on(table.acknowledgedAt, table.seq),
  ],
);
