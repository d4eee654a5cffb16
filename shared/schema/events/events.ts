/**
 * Every event type with the schema of its data. An event is an immutable fact; the same record
 * appears on WebSocket, SSE, long poll and in the log.
 */
import { z } from 'zod';
import { AgentState } from '../agents/agent-state.ts';
import { AcknowledgedVia } from '../alerts/alert-incidents.ts';
import { AttentionOutcome } from '../attention/attention.ts';
import { AUTO_EVENTS } from '../loops/auto-events.ts';
import { ContinueHow } from '../agents/continuation.ts';
import { BUDGET_EVENTS } from '../usage/budget.ts';
import { QUESTION_EVENTS } from '../attention/question-rule.ts';
import { CLIENT_VERSION_EVENTS } from '../agents/client-versions.ts';
import { RESERVE_EVENTS } from '../usage/reserve.ts';
import { Delivery, DeliveryReason, InputSource } from '../attention/delivery.ts';
import { FLEET_EVENTS } from '../fleet.ts';
import { FoundEnd, FoundFacts } from '../agents/found.ts';
import { IGNORED_EVENTS } from '../modules/ignored-directory.ts';
import { Leftover } from '../leftover.ts';
import { MODULE_EVENTS } from '../modules/module-facts.ts';
import { Owner } from '../owner.ts';
import { Author, PEOPLE_EVENTS } from '../people/people-events.ts';
import { Reason } from '../reasons.ts';
import { RESPAWN_EVENTS } from '../loops/respawn-events.ts';
import { RUN_EVENTS } from '../runs/run-events.ts';
import { Subject } from './subject.ts';
import { PROJECT_EVENTS } from '../tasks/project-setup.ts';
import { TASK_EVENTS } from '../tasks/task-events.ts';

/** Where a session's terminal lives: in its own tmux server, or inside the daemon. */
export const TerminalKind = z.enum(['tmux', 'pty']);

export const SessionClosedReason = z.enum([
  'user_closed',
  'terminal_lost',
  'requested',
  'start_failed',
]);
export type SessionClosedReason = z.infer<typeof SessionClosedReason>;

/** One attempt to deliver an event. */
const AlertAttempt = z.object({
  rule: z.string(),
  name: z.string(),
  delivery: z.string(),
  /** Of the delivered event. */
  seq: z.int(),
  type: z.string(),
  attempt: z.int().min(1),
  /** The HTTP status or the exit code; null when there was none. */
  status: z.int().nullable(),
});

const AlertIncidentOf = AlertAttempt.pick({
  rule: true,
  name: true,
  seq: true,
  type: true,
}).extend({ incident: z.string() });

/** Set when the event is about a task; it then has no session. */
const OfTask = z.string().optional();
/** Set when it is about a run, and when it is about a found session. */
const OfRun = z.string().optional();
const OfFound = z.string().optional();
/** Set when it is about an alert that reached no one. */
const OfRule = z.string().optional();

const EVENT_DATA = {
  'daemon.started': z.object({
    version: z.string(),
    pid: z.int(),
    /** The first start on a database restored from a backup. */
    restored: z.boolean().optional(),
    /**
     * Events of the previous epoch that were published but are no longer stored: after `after`, up
     * to `up_to`. The database was older than the events already published.
     */
    lost_events: z.object({ after: z.int(), up_to: z.int() }).optional(),
  }),
  'daemon.stopping': z.object({}),
  'session.created': z.object({
    cwd: z.string(),
    terminal: TerminalKind,
    reopened: z.boolean(),
    author: Author,
  }),
  'session.closed': z.object({
    reason: SessionClosedReason,
    author: Author,
    /** Processes of the terminal that could not be ended. */
    left: z.array(Leftover).optional(),
  }),
  /** Opened to continue, or to show, a session that Loopwatch did not start. */
  'session.continued': z.object({
    conversation: z.string().nullable(),
    how: ContinueHow,
    author: Author,
  }),
  'session.agent_changed': z.object({ agent: AgentState.nullable() }),
  'session.input': z.object({
    id: z.int(),
    delivery: Delivery,
    source: InputSource,
    reason: DeliveryReason.nullable(),
    /** Who wrote it. */
    author: Author,
  }),
  /** The agent's turn was interrupted; `by` is a role or name. */
  /** `what`: a dialog of the client that was left; missing: a turn that was stopped. */
  'session.interrupted': z.object({ by: z.string(), what: z.literal('limit_dialog').optional() }),
  'session.owner_changed': z.object({ owner: Owner.nullable() }),
  ...AUTO_EVENTS,
  ...RESPAWN_EVENTS,
  'found.appeared': FoundFacts,
  'found.changed': FoundFacts,
  'found.ended': FoundFacts.extend({ how: FoundEnd }),
  ...IGNORED_EVENTS,
  ...MODULE_EVENTS,
  'attention.raised': z.object({
    task: OfTask,
    run: OfRun,
    found: OfFound,
    rule: OfRule,
    id: z.string(),
    reason: Reason,
    title: z.string(),
    answerable: z.boolean(),
  }),
  'attention.cleared': z.object({
    task: OfTask,
    run: OfRun,
    found: OfFound,
    rule: OfRule,
    id: z.string(),
    reason: Reason,
    outcome: AttentionOutcome,
    /** The name of the person who answered or dismissed it. */
    by: z.string().nullable(),
    answer: z.string().nullable(),
  }),
  ...PEOPLE_EVENTS,
  ...FLEET_EVENTS,
  ...BUDGET_EVENTS,
  ...RESERVE_EVENTS,
  ...CLIENT_VERSION_EVENTS,
  ...QUESTION_EVENTS,
  ...PROJECT_EVENTS,
  ...TASK_EVENTS,
  ...RUN_EVENTS,
  'alert.sent': AlertAttempt,
  'alert.failed': AlertAttempt.extend({
    error: z.string(),
    /** Null: no further attempt. */
    next_try_at: z.iso.datetime().nullable(),
  }),
  'alert.escalated': AlertIncidentOf.extend({
    /** The step that began, of so many. */
    step: z.int().min(1),
    steps: z.int().min(1),
  }),
  'alert.acknowledged': AlertIncidentOf.extend({ by: z.string(), via: AcknowledgedVia }),
} as const;

export type EventType = keyof typeof EVENT_DATA;
export type EventData<Type extends EventType> = z.infer<(typeof EVENT_DATA)[Type]>;

/** An event before the log adds `seq` and `at`. */
export type EventDraft = {
  [Type in EventType]: { type: Type; session?: string; data: EventData<Type> };
}[EventType];

export type EventRecord = EventDraft & { seq: number; at: string; subject: Subject };

export const EVENT_TYPES = Object.keys(EVENT_DATA) as EventType[];

const EVENT_SCHEMAS = EVENT_TYPES.map((type) =>
  z.object({
    seq: z.int().min(1),
    at: z.iso.datetime(),
    type: z.literal(type),
    subject: Subject,
    session: z.string().optional(),
    data: EVENT_DATA[type],
  }),
);

/** The schema of one event as it travels; `data` depends on `type`. */
export const EventSchema = z.union(EVENT_SCHEMAS);

export function eventDataSchema(type: EventType): z.ZodType {
  return EVENT_DATA[type];
}

/** The daemon's own events have one subject per host. */
export function subjectOf({ type, session, data }: EventDraft): Subject {
  if ('task' in data && data.task !== undefined) return { kind: 'task', id: data.task };
  if ('found' in data && data.found !== undefined) return { kind: 'found', id: data.found };
  if ('run' in data && data.run !== undefined) return { kind: 'run', id: data.run };
  if ('module' in data) return { kind: 'module', id: data.module };
  if ('rule' in data && data.rule !== undefined) return { kind: 'alert', id: data.rule };
  if (session !== undefined) return { kind: kindOfSession(type), id: session };
  if ('host' in data) return { kind: 'host', id: data.host };
  if (type.startsWith('people.') && 'id' in data) return { kind: 'person', id: String(data.id) };
  return { kind: 'daemon', id: 'local' };
}

/** A session shares its id with what keeps it going. */
function kindOfSession(type: EventType): 'session' | 'loop' | 'respawn' {
  if (type.startsWith('auto.')) return 'loop';
  return type.startsWith('respawn.') ? 'respawn' : 'session';
}

const FILTERABLE: readonly string[] = EVENT_TYPES;

/** True for `*`, a known type, or `prefix.*` of one. */
export function isTypePattern(pattern: string): boolean {
  if (pattern === '*') return true;
  if (!pattern.endsWith('.*')) return FILTERABLE.includes(pattern);
  const prefix = pattern.slice(0, -1);
  return FILTERABLE.some((type) => type.startsWith(prefix) && prefix.length > 1);
}
