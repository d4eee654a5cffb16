/**
 * What events changed, as a page shows it: read once for a group of events, when all of them are
 * stored, and sent behind them. So an open page reads nothing after an event.
 */
import { movesQueue, touchesInbox } from '../../shared/rules/events/event-reach.ts';
import type { AttentionItem } from '../../shared/schema/attention/attention.ts';
import type { Loop } from '../../shared/schema/model.ts';
import type { Role } from '../../shared/schema/people/role.ts';
import type { Views } from '../../shared/schema/events/protocol.ts';
import type { RunSummary } from '../../shared/schema/runs/run.ts';
import { readSubject, type Subject } from '../../shared/schema/events/subject.ts';
import type { Task } from '../../shared/schema/tasks/task.ts';
import type { SessionUsage } from '../../shared/schema/usage/usage.ts';
import type { EncodedEvent } from '../events/event-log.ts';

/** Where the views come from; null and nothing: it does not exist any more. */
export interface ViewSources {
  loop: (session: string) => Loop | null;
  task: (name: string) => Task | null;
  queue: () => NonNullable<Views['queue']>;
  run: (id: string) => RunSummary | null;
  /** The open items of a subject, as this role may see them. */
  inbox: (subject: Subject, role: Role) => AttentionItem[];
  usage: (session: string) => SessionUsage | null;
}

export class EventViews {
  readonly #sources: ViewSources;
  readonly #role: Role;

  constructor(sources: ViewSources, role: Role) {
    this.#sources = sources;
    this.#role = role;
  }

  /** The frame that follows these events; null when they changed nothing that has a view. */
  after(events: readonly EncodedEvent[]): string | null {
    const last = events.at(-1);
    if (last === undefined) return null;
    const { loop, task, queue, run, inbox, usage } = this.#sources;
    const sessions = subjectsOf(events, touchesSession);
    const views: Views = {
      type: 'views',
      seq: last.seq,
      loops: known(sessions, ({ id }) => loop(id)),
      tasks: known(subjectsOf(events, touchesWork('task')), ({ id }) => task(id)),
      queue: events.some(({ type }) => movesQueue(type)) ? queue() : null,
      runs: known(subjectsOf(events, touchesWork('run')), ({ id }) => run(id)),
      inbox: known(
        subjectsOf(events, ({ type }) => touchesInbox(type)),
        (subject) => ({ subject, items: inbox(subject, this.#role) }),
      ),
      usages: known(sessions, ({ id }) => usage(id)),
    };
    const { loops, tasks, runs, inbox: open, usages } = views;
    const isEmpty = [loops, tasks, views.queue ?? [], runs, open, usages].every(
      (list) => list.length === 0,
    );
    return isEmpty ? null : JSON.stringify(views);
  }
}

function touchesSession({ type }: EncodedEvent): boolean {
  return type.startsWith('auto.') || type === 'session.agent_changed';
}

/** By all of its events: some changes of its state have none of their own. */
function touchesWork(kind: 'task' | 'run') {
  return ({ type }: EncodedEvent): boolean => type.startsWith(`${kind}.`);
}

/** Each subject once. */
function subjectsOf(
  events: readonly EncodedEvent[],
  isTouched: (event: EncodedEvent) => boolean,
): Subject[] {
  const refs = new Set(events.filter(isTouched).map(({ subject }) => subject));
  return [...refs].flatMap((ref) => readSubject(ref) ?? []);
}

function known<View>(
  subjects: readonly Subject[],
  view: (subject: Subject) => View | null,
): View[] {
  return subjects.flatMap((subject) => view(subject) ?? []);
}
