/** A random night: events of many units, and what was really open when and where its time went. */
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { ReportShare } from '../../../shared/schema/usage/report.ts';
import type { Random } from '../house/random.ts';

export interface RealSpan {
  fromMs: number;
  toMs: number;
  share: ReportShare;
}

export interface RealUnit {
  /** `kind:name`. */
  about: string;
  spans: RealSpan[];
}

type Data = Record<string, unknown>;
/** What happens to a unit, and where its time goes from then on; null: it is over. */
interface Step {
  type: string;
  data: Data;
  share: ReportShare | null;
}

interface Life {
  kind: 'loop' | 'task' | 'run' | 'respawn' | 'session';
  name: string;
  first: (random: Random) => Step;
  next: (random: Random, isLast: boolean) => Step;
}

export const START_MS = Date.parse('2026-11-21T20:00:00.000Z');
const HOUR_MS = 3_600_000;
const END = { task_dir: '/t', iteration: 1, elapsed_seconds: 1, quota_wait_seconds: 0 };
const SUMMARY = { ...END, restart_count: 0, recovery_count: 0, error: null, evidence: [] };

/** Of one to three lives after each other, from one hour before the start to nine hours after it. */
export function randomNight(random: Random, count: number) {
  const units: RealUnit[] = [];
  const drafts: { atMs: number; draft: Data }[] = [];
  for (let n = 0; n < count; n += 1) {
    let atMs = START_MS + random.int(-HOUR_MS, 8 * HOUR_MS);
    const kind = random.pick(['loop', 'task', 'run', 'respawn', 'session'] as const);
    const name = `${kind}-${n}`;
    const life = LIVES[kind](name);
    for (let lives = random.int(1, 3); lives > 0; lives -= 1) {
      const unit: RealUnit = { about: `${kind}:${name}`, spans: [] };
      let share: ReportShare | null = null;
      const steps = random.int(1, 8);
      for (let step = 0; step <= steps; step += 1) {
        const {
          type,
          data,
          share: next,
        } = step === 0 ? life.first(random) : life.next(random, step === steps);
        if (step > 0) {
          const fromMs = atMs;
          atMs += random.chance(0.1) ? 0 : random.int(1, HOUR_MS);
          if (share !== null) unit.spans.push({ fromMs, toMs: atMs, share });
        }
        drafts.push({ atMs, draft: { type, ...subjectOf(kind, name), data } });
        share = next;
        // Some are still open when the night ends.
        if (step === steps - 1 && lives === 1 && random.chance(0.3)) {
          if (share !== null) unit.spans.push({ fromMs: atMs, toMs: Infinity, share });
          break;
        }
      }
      units.push(unit);
      atMs += random.int(1, HOUR_MS);
    }
  }
  drafts.sort((one, other) => one.atMs - other.atMs);
  const events = drafts.map(({ atMs, draft }, index) => {
    const at = new Date(atMs).toISOString();
    return { seq: index + 1, at, ...draft } as unknown as EventRecord;
  });
  return { events, units };
}

function subjectOf(kind: Life['kind'], name: string): Data {
  const session = kind === 'task' || kind === 'run' ? {} : { session: name };
  return { subject: { kind, id: name }, ...session };
}

const LIVES: Record<Life['kind'], (name: string) => Life> = {
  task: (task) => {
    const status = (status: string, reason: string | null, share: ReportShare | null): Step => {
      const data = { task, status, before: 'RUNNING', reason, until: null, error: null };
      return { type: 'task.status', data, share };
    };
    return {
      kind: 'task',
      name: task,
      first: () => ({
        type: 'task.created',
        data: { task, root_folder: '/p', branch_name: null },
        share: 'queued',
      }),
      next: (random, isLast) =>
        isLast
          ? { type: 'task.deleted', data: { task, kept: [] }, share: null }
          : random.pick([
              status('RUNNING', null, 'working'),
              status('TESTING', null, 'working'),
              status('PAUSED', 'question', 'waiting'),
              status('PAUSED', 'quota', 'quota'),
              status('PAUSED', 'overloaded', 'recovering'),
              status('PAUSED', null, 'queued'),
              status('COMPLETED', 'criteria_met', null),
              status('FAILED', 'tests_failed', null),
            ]),
    };
  },
  run: (run) => {
    const status = (status: string, reason: string | null, share: ReportShare | null): Step => {
      const place = { run, phase: 'execute', before: 'running', until: null, error: null };
      return { type: 'run.status', data: { ...place, status, reason }, share };
    };
    return {
      kind: 'run',
      name: run,
      first: () => ({
        type: 'run.created',
        data: { run, title: 't', working_dir: '/p', branch: null },
        share: 'queued',
      }),
      next: (random, isLast) =>
        isLast
          ? { type: 'run.deleted', data: { run, kept: [] }, share: null }
          : random.pick([
              status('running', null, 'working'),
              status('waiting', 'plan_review', 'waiting'),
              status('waiting', 'quota', 'quota'),
              status('waiting', 'overloaded', 'recovering'),
              status('queued', null, 'queued'),
              status('done', 'criteria_met', null),
              status('stopped', 'user_stop', null),
            ]),
    };
  },
  loop: (name) => {
    const signal = { step: 'exec', result: '(done)', next: 'check', checkpoint: null };
    const facts = { iteration: 1, suspicious: false, out_of_order: false, timestamp: '' };
    let isLimited = false;
    return {
      kind: 'loop',
      name,
      first: () => {
        isLimited = false;
        const limits = { max_iterations: 9, timeout_minutes: 9, agent: 'claude' };
        return {
          type: 'auto.started',
          data: { run_id: 'r', task_dir: '/t', ...limits },
          share: 'queued',
        };
      },
      next: (random, isLast) => {
        if (isLast) {
          const type = random.pick(['auto.ended', 'auto.failed']);
          return { type, data: { ...SUMMARY, reason: 'completed' }, share: null };
        }
        if (isLimited) {
          isLimited = false;
          const left = { how: 'by_itself', waited_seconds: 1, nudges: 0 };
          return { type: 'auto.quota_left', data: left, share: 'working' };
        }
        isLimited = random.chance(0.3);
        return isLimited
          ? { type: 'auto.quota_entered', data: { until: null, evidence: [] }, share: 'quota' }
          : { type: 'auto.signal', data: { ...signal, ...facts }, share: 'working' };
      },
    };
  },
  respawn: (name) => {
    const state = (state: string, before: string, share: ReportShare | null): Step => {
      const data = { state, before, trigger: 'start', cycle: 1, until: null, evidence: [] };
      return { type: 'respawn.state', data, share };
    };
    const blocked = (reason: string, share: ReportShare): Step => {
      const data = { reason, cycle: 1, until: null, evidence: [] };
      return { type: 'respawn.blocked', data, share };
    };
    return {
      kind: 'respawn',
      name,
      first: () => state('watching', 'stopped', 'working'),
      next: (random, isLast) =>
        isLast
          ? state('stopped', 'watching', null)
          : random.pick([
              state('confirming_idle', 'watching', 'working'),
              blocked('quota', 'quota'),
              blocked('waiting_for_person', 'waiting'),
              blocked('background_work', 'working'),
            ]),
    };
  },
  session: (name) => {
    const agent = (state: string | null, share: ReportShare | null): Step => {
      const about = { cause: 'none', detail: null, witness: 'record', since: '', until: null };
      const data = { agent: state === null ? null : { state, ...about } };
      return { type: 'session.agent_changed', data, share };
    };
    return {
      kind: 'session',
      name,
      first: () => agent('starting', 'stopped'),
      next: (random, isLast) =>
        isLast
          ? agent(random.pick([null, 'exited']), null)
          : random.pick([
              agent('working', 'working'),
              agent('waiting', 'waiting'),
              agent('limited', 'quota'),
              agent('retrying', 'recovering'),
              agent('ready', 'stopped'),
            ]),
    };
  },
};
