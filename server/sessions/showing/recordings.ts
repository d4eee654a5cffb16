/** The recordings of sessions: at most one running per session, and the newest file of each kept. */
import { mkdirSync, readdirSync, readFileSync, statSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { RecordingStatus } from '../../../shared/endpoints/sessions/recording-endpoints.ts';
import { AppError, systemCode } from '../../lib/app-error.ts';
import { type Clock, toIso } from '../../lib/clock.ts';
import type { Displays } from './displays.ts';
import { Recording, type RecordingEnd } from './recording.ts';

/** The newest are kept; at 16 MiB each, recordings never fill a disk. */
const MAX_FILES = 64;

interface Known {
  recording: Recording;
  close: () => void;
}

export class Recordings {
  readonly #directory: string;
  readonly #displays: Pick<Displays, 'open'>;
  readonly #clock: Clock;
  readonly #hasSession: (name: string) => boolean;
  readonly #known = new Map<string, Known>();

  constructor(options: {
    /** Created at the first recording. */
    directory: string;
    displays: Pick<Displays, 'open'>;
    clock: Clock;
    hasSession: (name: string) => boolean;
  }) {
    this.#directory = options.directory;
    this.#displays = options.displays;
    this.#clock = options.clock;
    this.#hasSession = options.hasSession;
  }

  /** Replaces an older recording. Throws `session_unknown`, `storage_full`. */
  start(session: string): RecordingStatus {
    if (!this.#hasSession(session)) throw unknownSession(session);
    this.#known.get(session)?.close();
    const recording = this.#create(session);
    const display = this.#displays.open(session, recording);
    const close = () => {
      recording.end('stopped');
      display.close();
    };
    this.#known.set(session, { recording, close });
    return this.status(session);
  }

  /** Ends the recording; no effect on one that has ended. Throws `session_unknown`, `no_recording`. */
  stop(session: string): RecordingStatus {
    this.#known.get(session)?.close();
    return this.status(session);
  }

  /** Also for a closed session, and for a recording from before the daemon started. */
  status(session: string): RecordingStatus {
    const recording = this.#known.get(session)?.recording;
    if (recording !== undefined) {
      const { startedAtMs, length, ending } = recording;
      return statusOf(session, startedAtMs, length, ending);
    }
    try {
      const { birthtimeMs, size } = statSync(this.#path(session));
      return statusOf(session, birthtimeMs, size, 'stopped');
    } catch {
      throw this.#missing(session);
    }
  }

  /** The asciicast up to now. Throws `session_unknown`, `no_recording`. */
  read(session: string): Uint8Array<ArrayBuffer> {
    const recording = this.#known.get(session)?.recording;
    if (recording?.ending === null) recording.flush();
    try {
      return new Uint8Array(readFileSync(this.#path(session)));
    } catch {
      throw this.#missing(session);
    }
  }

  /** Ends every running recording. */
  dispose(): void {
    for (const { close } of this.#known.values()) close();
  }

  #create(session: string): Recording {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
      this.#removeOldest(this.#path(session));
      return new Recording(this.#path(session), this.#clock);
    } catch (error) {
      const code = systemCode(error) ?? 'unknown cause';
      throw new AppError('storage_full', `cannot write the recording (${code})`);
    }
  }

  /** Makes room for one more: removes the file it replaces, and the oldest beyond the bound. */
  #removeOldest(replaced: string): void {
    const files = readdirSync(this.#directory)
      .map((name) => join(this.#directory, name))
      .map((path) => ({ path, modifiedMs: statSync(path).mtimeMs }))
      .sort((a, b) => b.modifiedMs - a.modifiedMs)
      .map(({ path }) => path);
    const kept = files.filter((path) => path !== replaced).slice(0, MAX_FILES - 1);
    for (const path of files.filter((path) => !kept.includes(path))) unlinkSync(path);
    for (const [session, { recording }] of this.#known) {
      const isKept = kept.includes(this.#path(session)) || recording.ending === null;
      if (!isKept) this.#known.delete(session);
    }
  }

  /** A session's name is a file name from a closed alphabet. */
  #path(session: string): string {
    return join(this.#directory, `${session}.cast`);
  }

  #missing(session: string): AppError {
    if (!this.#hasSession(session)) return unknownSession(session);
    return new AppError(
      'no_recording',
      `${session} has no recording; start one with: loopwatch session record ${session} start`,
    );
  }
}

function statusOf(
  session: string,
  startedAtMs: number,
  bytes: number,
  ended: RecordingEnd | null,
): RecordingStatus {
  const state = ended === null ? 'recording' : 'ended';
  return { session, state, started_at: toIso(startedAtMs), bytes, ended };
}

function unknownSession(session: string): AppError {
  return new AppError(
    'session_unknown',
    `no session named ${session}; list them with: loopwatch session ls`,
  );
}
