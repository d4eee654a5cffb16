/**
 * Reads one `.auto-signal`, as hostile as it may be, into a judged report. Stores nothing of it.
 */
import type { SignalProfile } from '../../../shared/rules/loops/loop-steps.ts';
import { AutoSignal, unlistedField } from '../../../shared/schema/loops/auto-signal.ts';
import type { SignalRejection } from '../../../shared/schema/loops/auto-events.ts';
import { readHostileFile } from '../../lib/files/hostile-file.ts';

/** Bytes. A signal has six short fields; anything larger is not one. */
const MAX_SIGNAL_BYTES = 64 * 1024;
/** Clocks that show whole seconds, and file systems that keep them. */
const FRESHNESS_SLACK_MS = 2_000;

export type ReadSignal =
  | { kind: 'absent' }
  | { kind: 'signal'; signal: AutoSignal; text: string; mark: string }
  /** `torn`: perhaps only half written yet; read again before it is rejected. */
  | { kind: 'rejected'; cause: SignalRejection; detail: string; mark: string; torn: boolean };

export interface SignalBounds {
  /** When the loop started, wall time in milliseconds since 1970. */
  startedAtMs: number;
  /** What the loop's agent may report. */
  profile: SignalProfile;
  /** Whether a signal with that run id is from the loop's own agent. */
  acceptsRun: (runId: string) => boolean;
}

export function readSignal(
  path: string,
  { startedAtMs, profile, acceptsRun }: SignalBounds,
): ReadSignal {
  const file = readHostileFile(path, MAX_SIGNAL_BYTES);
  if (file.kind === 'absent') return file;
  const { mark } = file;
  const reject = (cause: SignalRejection, detail: string, torn = false): ReadSignal => ({
    kind: 'rejected',
    cause,
    detail,
    mark,
    torn,
  });
  if (file.kind === 'refused') return reject(file.cause, DETAIL[file.cause]);
  let value: unknown;
  try {
    value = JSON.parse(file.text);
  } catch {
    return reject('not_json', 'the file is not JSON', true);
  }
  const parsed = AutoSignal.safeParse(value);
  const wrong = parsed.success
    ? unlistedField(parsed.data, profile)
    : String(parsed.error.issues[0]?.path[0] ?? 'object');
  if (!parsed.success || wrong !== null) {
    // Names the field and never the value: text of the agent is not passed on.
    const field = wrong ?? 'object';
    return reject('invalid_field', `the field "${field.slice(0, 32)}" is missing or not allowed`);
  }
  const written = Math.min(file.modifiedMs, Date.parse(parsed.data.timestamp));
  if (written < startedAtMs - FRESHNESS_SLACK_MS) {
    return reject('stale', 'the signal predates the loop');
  }
  const { run_id: runId } = parsed.data;
  if (runId !== undefined && !acceptsRun(runId)) {
    return reject('other_run', 'the signal belongs to another run');
  }
  return { kind: 'signal', signal: parsed.data, text: file.text, mark };
}

const DETAIL = {
  not_a_file: 'not a regular file',
  too_large: `the file is larger than ${MAX_SIGNAL_BYTES} bytes`,
  not_utf8: 'the file is not UTF-8',
  foreign_owner: 'the file belongs to another user',
  hard_link: 'the file has more than one hard link',
  unreadable: 'the file cannot be read',
} as const;
