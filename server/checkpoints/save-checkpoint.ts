import { cutText } from '../../shared/rules/text/cut-text.ts';
import { Checkpoint, type RunEvent } from '../../shared/schema/runs/checkpoint.ts';
import { AppError } from '../lib/app-error.ts';
import { writeFileAtomic } from '../lib/files/atomic-file.ts';
import { asStorageError } from '../lib/files/storage-error.ts';
import { firstIssue } from './parse-checkpoint.ts';
import { MAX_CHECKPOINT_BYTES } from './read-session.ts';
import { CHECKPOINT_FILE, openSession, PREVIOUS_FILE } from './session-directory.ts';

/** What a person reads of a tool's output and of a failed check. */
const TOOL_TEXT_BYTES = 5_000;
const DETAILS_BYTES = 2_000;

/**
 * Writes the whole checkpoint: after a crash at any moment the old or the new one is there. The old
 * one stays as `checkpoint.previous.json`. Throws an AppError, and then nothing was changed:
 * `checkpoint_corrupt` when a field is not valid, `payload_too_large`, `checkpoint_unreadable` when
 * its directory is a link or another user's, or one of storage.
 */
export function saveCheckpoint(home: string, checkpoint: Checkpoint): void {
  const parsed = Checkpoint.safeParse(checkpoint);
  if (!parsed.success) {
    throw new AppError('checkpoint_corrupt', `Checkpoint not saved: ${firstIssue(parsed.error)}`);
  }
  const text = checkpointText(bounded(parsed.data));
  if (Buffer.byteLength(text) > MAX_CHECKPOINT_BYTES) {
    throw new AppError(
      'payload_too_large',
      `Checkpoint not saved: more than ${MAX_CHECKPOINT_BYTES / 1024 / 1024} MiB`,
    );
  }
  try {
    const directory = openSession(home, checkpoint.session_id);
    writeFileAtomic(directory, CHECKPOINT_FILE, text, 0o600, PREVIOUS_FILE);
  } catch (error) {
    throw asStorageError(error);
  }
}

/** As it is in its file. */
export function checkpointText(checkpoint: Checkpoint): string {
  return `${JSON.stringify(checkpoint, null, 2)}\n`;
}

function bounded(checkpoint: Checkpoint): Checkpoint {
  return {
    ...checkpoint,
    claude_events: checkpoint.claude_events.map(boundedEvent),
    exec_events: checkpoint.exec_events.map(boundedEvent),
    review_events: checkpoint.review_events.map(boundedEvent),
    fix_events: checkpoint.fix_events.map(boundedEvent),
    last_checklist: boundedChecklist(checkpoint.last_checklist),
  };
}

function boundedChecklist(checklist: Checkpoint['last_checklist']): Checkpoint['last_checklist'] {
  if (checklist === null) return null;
  const checks = Object.entries(checklist).map(([name, check]) => {
    const { details } = check;
    const isText = typeof details === 'string';
    return [name, isText ? { ...check, details: cutText(details, DETAILS_BYTES) } : check] as const;
  });
  return Object.fromEntries(checks);
}

function boundedEvent(event: RunEvent): RunEvent {
  if (!isTool(event)) return event;
  const tool = event.Tool;
  if (typeof tool.output !== 'string') return event;
  return { ...event, Tool: { ...tool, output: cutText(tool.output, TOOL_TEXT_BYTES) } };
}

type ToolEvent = Extract<RunEvent, { Tool: object }>;

/** Events of other programs may have the same key with something else in it. */
function isTool(event: RunEvent): event is ToolEvent {
  const tool = event['Tool'] as ToolEvent['Tool'] | null | undefined;
  return typeof tool === 'object' && tool !== null;
}
