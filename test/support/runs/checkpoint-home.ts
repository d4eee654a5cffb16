/** A home with sessions of phased runs, and checkpoints to save there. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../../../server/lib/app-error.ts';
import { checkpointPath } from '../../../server/checkpoints/session-directory.ts';
import { Checkpoint } from '../../../shared/schema/runs/checkpoint.ts';
import { moduleDirectory } from '../git/module-directory.ts';

export const NOW_MS = Date.parse('2026-01-02T03:04:05.000Z');

/** Only what must be there; everything else has its default. */
export const LEAST = {
  version: 1,
  session_id: 'one',
  checkpoint_time: '2026-01-02T03:04:05.000Z',
  original_start_time: '2026-01-02T03:00:00.000Z',
  phase: 'execute',
  working_dir: '/',
};

export function checkpoint(fields: Partial<Checkpoint> = {}): Checkpoint {
  return Checkpoint.parse({ ...LEAST, ...fields });
}

export function newHome(): string {
  return moduleDirectory();
}

/** Puts a text, or a value as JSON, where the checkpoint of a session is. */
export function putCheckpoint(home: string, id: string, content: string | Buffer | object): void {
  const path = checkpointPath(home, id);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const isRaw = typeof content === 'string' || Buffer.isBuffer(content);
  writeFileSync(path, isRaw ? content : JSON.stringify(content));
}

/** `code: message` of what an act throws or rejects with; fails when it does neither. */
export async function failureOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof AppError) return `${error.code}: ${error.message}`;
    throw error;
  }
  throw new Error('it did not fail');
}

/** Every file and directory below one, sorted. Links are listed, not followed. */
export function namesBelow(directory: string): string[] {
  const names = readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const inner = entry.isDirectory() ? namesBelow(join(directory, entry.name)) : [];
    return [entry.name, ...inner.map((name) => join(entry.name, name))];
  });
  return names.sort();
}
