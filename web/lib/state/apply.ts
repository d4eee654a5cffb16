/**
 * The pure reducer of the page: work and event to work. It applies only what the event contains;
 * derived numbers are read again from the daemon.
 */
import type { EventData, EventRecord } from '$shared/schema/events.ts';
import { isRoutine } from '$shared/rules/is-routine.ts';
import type { Loop } from '$shared/schema/model.ts';
import { elapsedSeconds, quotaWaitSeconds } from './elapsed.ts';
import { type LiveWork, type LoopReading, newestFirst } from './live-work.ts';
import { withClearing } from './inbox.ts';
import { loopPatch } from './loop-patch.ts';

export function apply(work: LiveWork, event: EventRecord): LiveWork {
  if (isRoutine(event.type)) return work;
  const next = { ...work, events: newestFirst([event, ...work.events]) };
  if (event.type === 'attention.cleared') {
    return { ...next, inbox: withClearing(work.inbox, event.data, event.at) };
  }
  const name = event.session;
  if (name === undefined) return next;
  switch (event.type) {
    case 'session.created':
      return withSession(next, name, {
        name,
        cwd: event.data.cwd,
        terminal: event.data.terminal === 'pty' ? 'pty' : 'tmux',
        status: 'open',
        owner: work.sessions[name]?.owner ?? null,
        agent: null,
        created_at: event.at,
      });
    case 'session.closed':
      return { ...next, sessions: without(next.sessions, name) };
    case 'session.agent_changed': {
      const session = next.sessions[name];
      if (session === undefined) return next;
      return withSession(next, name, { ...session, agent: event.data.agent });
    }
    case 'session.owner_changed': {
      const session = next.sessions[name];
      if (session === undefined) return next;
      return withSession(next, name, { ...session, owner: event.data.owner });
    }
    case 'auto.started':
      return withLoop(next, name, {
        loop: startedLoop(name, event.data, event.at),
        readAt: Date.parse(event.at),
      });
    case 'auto.ended':
      return { ...next, loops: without(next.loops, name) };
    default:
      return patchLoop(next, name, event);
  }
}

/** The session whose loop must be read again after the event, or null. */
export function touchedLoop(
  { loops }: LiveWork,
  { type, session = '' }: EventRecord,
): string | null {
  // A loop inherits its agent's wait without an event of its own.
  const isTouched =
    type.startsWith('auto.') || (type === 'session.agent_changed' && loops[session] !== undefined);
  return isTouched ? session : null;
}

/** Whether the inbox must be read again after the event. */
export function touchesInbox(event: EventRecord): boolean {
  // A new state can change what its item is about.
  const types = ['attention.raised', 'session.agent_changed', 'question.escalated'];
  return types.includes(event.type);
}

function startedLoop(name: string, data: EventData<'auto.started'>, at: string): Loop {
  return {
    session_name: name,
    status: 'starting',
    status_since: at,
    task_dir: data.task_dir,
    agent: data.agent,
    iteration: data.adopted?.iteration ?? 0,
    max_iterations: data.max_iterations,
    elapsed_seconds: 0,
    timeout_seconds: data.timeout_minutes * 60,
    timeout_minutes: data.timeout_minutes,
    permissions: data.permissions ?? null,
    quota_wait_seconds: 0,
    step: null,
    result: null,
    next: null,
    checkpoint: null,
    started_at: data.adopted?.started_at ?? at,
    last_signal_at: null,
    restart_count: 0,
    recovery_count_step: 0,
    recovery_count_total: 0,
    stop_reason: null,
    stop_evidence: [],
    error: null,
    wait: null,
  };
}

function withSession(
  work: LiveWork,
  name: string,
  session: LiveWork['sessions'][string],
): LiveWork {
  return { ...work, sessions: { ...work.sessions, [name]: session } };
}

function withLoop(work: LiveWork, name: string, reading: LoopReading): LiveWork {
  return { ...work, loops: { ...work.loops, [name]: reading } };
}

/** Accounts for the time until the event first: a new status may stop or start a clock. */
function patchLoop(work: LiveWork, name: string, event: EventRecord): LiveWork {
  const reading = work.loops[name];
  const patch = reading === undefined ? null : loopPatch(reading.loop, event);
  if (reading === undefined || patch === null) return work;
  const at = Date.parse(event.at);
  const settled = {
    elapsed_seconds: elapsedSeconds(reading, at),
    quota_wait_seconds: quotaWaitSeconds(reading, at),
  };
  const loop = { ...reading.loop, ...settled, ...patch };
  if (loop.status !== reading.loop.status) loop.status_since = event.at;
  return withLoop(work, name, { loop, readAt: at });
}

function without<Value>(
  record: Readonly<Record<string, Value>>,
  name: string,
): Readonly<Record<string, Value>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
}
