/** Text of a checkpoint → the checkpoint, or what is wrong with it. Never throws. */
import type { z } from 'zod';
import { Checkpoint, CHECKPOINT_VERSION } from '../../shared/schema/runs/checkpoint.ts';

/** As other programs name theirs, such as `PlanningWithClaude`. Ours are lower case. */
const FOREIGN_PHASE = /^[A-Z][A-Za-z]{1,60}$/;

/** Values nested deeper than in any checkpoint could not be written back. */
const MAX_DEPTH = 100;

export type ParsedCheckpoint =
  | { kind: 'checkpoint'; checkpoint: Checkpoint }
  /** What follows "Checkpoint is corrupt: ". */
  | { kind: 'corrupt'; why: string }
  | { kind: 'version'; version: number }
  /** Another program's: where its phase belongs in a run is not known. */
  | { kind: 'foreign'; phase: string };

export function parseCheckpoint(text: string, id: string): ParsedCheckpoint {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return corrupt(text.trim() === '' ? 'it is empty' : 'it is not complete JSON');
  }
  if (!isWithin(value, MAX_DEPTH)) return corrupt('it is nested too deeply');
  const version = versionOf(value);
  if (version > CHECKPOINT_VERSION) return { kind: 'version', version };
  const phase = foreignPhase(value);
  if (phase !== null) return { kind: 'foreign', phase };
  const parsed = Checkpoint.safeParse(value);
  if (!parsed.success) return corrupt(firstIssue(parsed.error));
  // Saving it would write to that other session.
  if (parsed.data.session_id !== id) return corrupt('its session_id is not the directory it is in');
  return { kind: 'checkpoint', checkpoint: parsed.data };
}

/** The first thing that is wrong: the field, then what it must be. */
export function firstIssue(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = issue?.path.join('.') ?? '';
  return `${path === '' ? 'it' : path.slice(0, 100)}: ${issue?.message ?? 'is not valid'}`;
}

function corrupt(why: string): ParsedCheckpoint {
  return { kind: 'corrupt', why };
}

function versionOf(value: unknown): number {
  const has = typeof value === 'object' && value !== null && 'version' in value;
  return has && typeof value.version === 'number' ? value.version : 0;
}

function foreignPhase(value: unknown): string | null {
  const has = typeof value === 'object' && value !== null && 'phase' in value;
  const phase = has && typeof value.phase === 'string' ? value.phase : '';
  return FOREIGN_PHASE.test(phase) ? phase : null;
}

function isWithin(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((inner) => isWithin(inner, depth - 1));
}
