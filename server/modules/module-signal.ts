/** The progress of a loop in its module: the last `.auto-signal`, and how the next one is written. */
import { join } from 'node:path';
import { AutoSignal, SIGNAL_FILE, unlistedField } from '../../shared/schema/loops/auto-signal.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { readHostileFile } from '../lib/files/hostile-file.ts';

const MAX_SIGNAL_BYTES = 64 * 1024;

/** Null without a valid one: it is progress, never needed to continue. */
export function readModuleSignal(directory: string): AutoSignal | null {
  const file = readHostileFile(join(directory, SIGNAL_FILE), MAX_SIGNAL_BYTES);
  if (file.kind !== 'text') return null;
  try {
    const signal = AutoSignal.parse(JSON.parse(file.text));
    return unlistedField(signal, 'core') === null ? signal : null;
  } catch {
    return null;
  }
}

/** Throws the system's error. */
export function writeModuleSignal(directory: string, signal: AutoSignal): void {
  writeFileAtomic(directory, SIGNAL_FILE, `${JSON.stringify(signal)}\n`, 0o644);
}

/**
 * Completed steps of the current loop. A loop ends with `(stop)`, and one of another run is another
 * loop: both leave 0.
 */
export function completedIterations(last: AutoSignal | null, runId: string | null): number {
  if (last === null || last.next === '(stop)') return 0;
  if (runId !== null && last.run_id !== undefined && last.run_id !== runId) return 0;
  return last.iteration ?? 0;
}
