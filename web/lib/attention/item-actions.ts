/** Actions for an item that can only be answered in its terminal. Pure. */
import type { AttentionItem } from '$shared/schema/attention/attention.ts';
import { failedLoopCommands, openCommand } from '$shared/words/attention-text.ts';
import type { Loop } from '$shared/schema/model.ts';

export type ItemAction = 'restart' | 'remove' | 'continue' | 'stop' | 'trust';

export interface ItemCommand {
  text: string;
  /** Its purpose. */
  use: string;
}

/** Typed by the action `continue`: any agent at its prompt understands it. */
export const CONTINUE_TEXT = 'continue';

type Subject = Pick<AttentionItem, 'reason' | 'session' | 'subject'>;

/** `loop` is that of the item's session. */
export function itemActions(
  { reason, subject }: Subject,
  loop: Pick<Loop, 'status' | 'stop_reason'> | null,
): ItemAction[] {
  // The page of a task, a run or an alert has all its actions; a found session is not touched.
  if (['task', 'run', 'found', 'alert'].includes(subject.kind)) return [];
  if (loop?.status === 'failed') return ['restart', 'remove'];
  const stop: ItemAction[] = loop === null || loop.status === 'stopping' ? [] : ['stop'];
  switch (reason) {
    case 'stalled':
    case 'quota':
    case 'agent_error':
      return ['continue', ...stop];
    case 'untested_client':
      return ['trust', ...stop];
    case 'unknown_screen':
    case 'command_missing':
    case 'login_needed':
      return stop;
    default:
      return [];
  }
}

/** In the order to run them. `loop` as above. */
export function itemCommands(
  item: Subject,
  loop: Pick<Loop, 'status' | 'stop_reason'> | null,
): ItemCommand[] {
  const { reason, session, subject } = item;
  if (session === null) {
    const what = subject.kind === 'found' ? 'session' : subject.kind;
    return [{ text: openCommand(item), use: `show the ${what} in a shell` }];
  }
  const attach = { text: openCommand(item), use: 'open the terminal in a shell' };
  if (loop?.status === 'failed') {
    const [restart = ''] = failedLoopCommands(session);
    return [attach, { text: restart, use: 'start the loop again' }];
  }
  if (reason === 'login_needed') {
    return [attach, { text: '/login', use: 'type this there to log the agent in' }];
  }
  if (reason === 'unknown_screen') {
    const file = `${session}.txt`;
    const capture = `loopwatch session screen ${session} > ${file} && loopwatch classify ${file}`;
    return [attach, { text: capture, use: 'classify the screen; attach the output to a report' }];
  }
  return [attach];
}
