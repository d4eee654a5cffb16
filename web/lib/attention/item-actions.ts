/** What a person can do about an item that only its terminal can answer. Pure. */
import type { AttentionItem } from '$shared/schema/attention.ts';
import { openCommand } from '$shared/words/attention-text.ts';
import type { Loop } from '$shared/schema/model.ts';

export type ItemAction = 'restart' | 'remove' | 'continue' | 'stop';

export interface ItemCommand {
  text: string;
  /** What it is for. */
  use: string;
}

/** What is typed by `continue`: words that any agent at its prompt takes for "go on". */
export const CONTINUE_WORDS = 'continue';

type Subject = Pick<AttentionItem, 'reason' | 'session' | 'task'>;

/** Takes an item and the loop of its session, null without one; gives what one press can do. */
export function itemActions(
  { reason, task }: Subject,
  loop: Pick<Loop, 'status' | 'stop_reason'> | null,
): ItemAction[] {
  // Its own page has all that can be done with a task.
  if (task !== null) return [];
  if (loop?.status === 'failed') return ['restart', 'remove'];
  const stop: ItemAction[] = loop === null || loop.status === 'stopping' ? [] : ['stop'];
  switch (reason) {
    case 'stalled':
    case 'quota':
    case 'agent_error':
      return ['continue', ...stop];
    case 'unknown_screen':
    case 'command_missing':
    case 'login_needed':
      return stop;
    default:
      return [];
  }
}

/** Takes an item; gives the commands that help with it, in the order to run them. */
export function itemCommands(item: Subject): ItemCommand[] {
  const { reason, session } = item;
  if (session === null) return [{ text: openCommand(item), use: 'show the task in a shell' }];
  const attach = { text: openCommand(item), use: 'open the terminal in a shell' };
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
