/** The data model, besides alerts, tasks, runs and usage. Each table is written by exactly one file, named above it. */
import { sql } from 'drizzle-orm';
import {
  blob,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { AGENT_KINDS } from '../../shared/schema/agents/agent-kind.ts';
import { OWNERS } from '../../shared/schema/owner.ts';
import { SUBJECT_KINDS } from '../../shared/schema/events/subject.ts';

/** Facts about this database's own life: `epoch`, `restored`. Written by db/meta-store.ts. */
export const meta = sqliteTable('meta', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
});

/** Written by events/event-log.ts. AUTOINCREMENT: a pruned seq is never used again. */
export const events = sqliteTable(
  'events',
  {
    seq: integer('seq').primaryKey({ autoIncrement: true }),
    at: text('at').notNull(),
    type: text('type').notNull(),
    subjectKind: text('subject_kind', { enum: SUBJECT_KINDS }).notNull().default('daemon'),
    subjectId: text('subject_id').notNull().default('local'),
    session: text('session'),
    /** JSON of the event's data. */
    data: text('data').notNull(),
  },
  (table) => [
    index('events_session_seq').on(table.session, table.seq),
    index('events_subject_seq').on(table.subjectKind, table.subjectId, table.seq),
  ],
);

/**
 * People with access, in addition to the token of the home. Tokens and links only as SHA-256
 * hashes. Written by people/person-store.ts; a restore keeps these rows (db/restore-database.ts).
 */
export const people = sqliteTable(
  'people',
  {
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    nameKey: text('name_key').notNull(),
    role: text('role', { enum: ['viewer', 'operator', 'admin'] }).notNull(),
    tokenHash: text('token_hash'),
    linkHash: text('link_hash'),
    linkExpiresAt: text('link_expires_at'),
    createdAt: text('created_at').notNull(),
    joinedAt: text('joined_at'),
    lastSeenAt: text('last_seen_at'),
    /** Set: a removed person, kept so that no backup brings them back. */
    removedAt: text('removed_at'),
    /** JSON of what this host and its fleet last agreed on; null: the fleet does not know them. */
    agreed: text('agreed'),
  },
  (table) => [
    uniqueIndex('people_name_key')
      .on(table.nameKey)
      .where(sql`removed_at IS NULL`),
  ],
);

/** Browsers that get Web Push. Written by push/push-subscription-store.ts. */
export const pushSubscriptions = sqliteTable(
  'push_subscriptions',
  {
    /** From the endpoint, so that a browser has one row. */
    id: text('id').primaryKey(),
    /** Whose it is; `home` for the token of the home. */
    person: text('person').notNull(),
    /** Of the token it was added with: a replaced token ends it. */
    mark: text('mark').notNull(),
    endpoint: text('endpoint').notNull(),
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    label: text('label').notNull(),
    createdAt: text('created_at').notNull(),
    lastSentAt: text('last_sent_at'),
    lastError: text('last_error'),
  },
  (table) => [index('push_subscriptions_person').on(table.person)],
);

/** Written by sessions/session-store.ts. */
export const sessions = sqliteTable('sessions', {
  name: text('name').primaryKey(),
  cwd: text('cwd').notNull(),
  terminal: text('terminal', { enum: ['tmux', 'pty'] }).notNull(),
  status: text('status', { enum: ['opening', 'open', 'closing'] }).notNull(),
  owner: text('owner', { enum: OWNERS }),
  /** JSON of the terminal's identity, by which that same terminal is found again. */
  identity: text('identity'),
  createdAt: text('created_at').notNull(),
});

/** Input on its way into a terminal, in order of id. Written by sessions/typing/input-store.ts. */
export const inputs = sqliteTable(
  'inputs',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    session: text('session').notNull(),
    text: text('text').notNull(),
    submit: integer('submit', { mode: 'boolean' }).notNull(),
    source: text('source', { enum: ['person', 'daemon'] }).notNull(),
    /** The name of its author. */
    author: text('author'),
    delivery: text('delivery', {
      enum: ['held', 'delivering', 'delivered', 'typed', 'failed', 'unknown'],
    }).notNull(),
    reason: text('reason').notNull().default(''),
    /** The program it was submitted to, as JSON; null in rows of older versions. */
    program: text('program'),
    /** A supervisor's own name for it, unique in its session; null for a person's. */
    tag: text('tag'),
    createdAt: text('created_at').notNull(),
    changedAt: text('changed_at').notNull(),
  },
  (table) => [
    index('inputs_session_id').on(table.session, table.id),
    uniqueIndex('inputs_session_tag').on(table.session, table.tag),
  ],
);

/** Where a person is or was needed. Written by attention/attention-store.ts. */
export const attention = sqliteTable(
  'attention',
  {
    id: text('id').primaryKey(),
    subjectKind: text('subject_kind', { enum: SUBJECT_KINDS }).notNull().default('session'),
    subjectId: text('subject_id').notNull().default(''),
    reason: text('reason').notNull(),
    title: text('title').notNull(),
    detail: text('detail'),
    /** JSON of the agent's exact question; null when only the terminal can answer. */
    request: text('request'),
    raisedAt: text('raised_at').notNull(),
    clearedAt: text('cleared_at'),
    /** When a rule raised its priority. */
    escalatedAt: text('escalated_at'),
    outcome: text('outcome', { enum: ['answered', 'resolved', 'dismissed', 'gone'] }),
    by: text('by'),
    answer: text('answer'),
  },
  (table) => [
    index('attention_cleared_at').on(table.clearedAt, table.raisedAt),
    index('attention_subject').on(table.subjectKind, table.subjectId, table.raisedAt),
  ],
);

/**
 * Snapshots of terminals; the newest has the highest number. Written by
 * sessions/showing/screen-store.ts.
 */
export const screens = sqliteTable(
  'screens',
  {
    number: integer('number').primaryKey({ autoIncrement: true }),
    session: text('session').notNull(),
    /** Wall time in milliseconds at which it was taken. */
    atMs: integer('at_ms').notNull(),
    /** Seq of the newest event at that time: events with a higher seq happened later. */
    seq: integer('seq').notNull(),
    /** What happened right after it, when that matters; one of `ScreenMoment`. */
    moment: text('moment'),
    bytes: integer('bytes').notNull(),
    /** JSON of size, cursor and rows, deflated. */
    snapshot: blob('picture', { mode: 'buffer' }).notNull(),
  },
  // Everything that decides which are kept, so that no snapshot is read for it.
  (table) => [
    index('screens_session').on(table.session, table.number, table.atMs, table.moment, table.bytes),
  ],
);

/**
 * One row per auto loop, deleted when the loop ends; its history is its events. The first thirteen
 * columns are the published table. Written by auto/stores/auto-store.ts.
 */
export const taskAuto = sqliteTable('task_auto', {
  sessionName: text('session_name').primaryKey(),
  taskDir: text('task_dir').notNull().unique(),
  status: text('status').default('running'),
  maxIterations: integer('max_iterations').default(20),
  timeoutMinutes: integer('timeout_minutes').default(30),
  iterationCount: integer('iteration_count').default(0),
  recoveryCountStep: integer('recovery_count_step').default(0),
  recoveryCountTotal: integer('recovery_count_total').default(0),
  lastCaptureHash: text('last_capture_hash').default(''),
  stallCount: integer('stall_count').default(0),
  quotaWaitSince: text('quota_wait_since').default(''),
  startedAt: text('started_at'),
  lastSignalAt: text('last_signal_at'),
  restartCount: integer('restart_count').default(0),
  runId: text('run_id').notNull().default(''),
  agent: text('agent', { enum: AGENT_KINDS }).notNull().default('claude'),
  /** Device and inode: one directory by two paths is still one directory. */
  dirIdentity: text('dir_identity').unique(),
  /** JSON: the rest of a loop's state. */
  state: text('state').notNull().default('{}'),
});

/** Sessions that respawn keeps, or kept, going. Written by respawn/respawn-store.ts. */
export const respawn = sqliteTable('respawn', {
  session: text('session').primaryKey(),
  /** JSON: its state. */
  state: text('state').notNull(),
  /** Milliseconds on its clock, which stops while no daemon runs. */
  clockMs: integer('clock_ms').notNull(),
});

/**
 * Requests that came with an idempotency key, and what they were answered. Written by
 * idempotency/key-store.ts.
 */
export const idempotencyKeys = sqliteTable(
  'idempotency_keys',
  {
    /** The id of a person; `home` for the token of the home. */
    actor: text('actor').notNull(),
    key: text('key').notNull(),
    /** SHA-256 of method, target and body. */
    request: text('request').notNull(),
    begunAtMs: integer('begun_at_ms').notNull(),
    /** `changed`: some of it is stored, and its answer is not known yet. */
    state: text('state', { enum: ['begun', 'changed', 'answered'] }).notNull(),
    status: integer('status'),
    /** JSON; null when it is not kept. */
    answer: text('answer'),
    /** JSON: seq, type and subject of the first events it appended. */
    events: text('events').notNull().default('[]'),
  },
  (table) => [
    primaryKey({ columns: [table.actor, table.key] }),
    index('idempotency_keys_begun').on(table.begunAtMs),
  ],
);
