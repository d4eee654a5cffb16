/** What events change beyond their own data, by type. */

/** Tasks and runs wait in one line. */
const MOVES_QUEUE: readonly string[] = [
  'task.status',
  'task.deleted',
  'task.changed',
  'run.created',
  'run.status',
  'run.deleted',
];
/** A new state of an agent can change what its item is about; the end of an item is in its event. */
const TOUCHES_INBOX: readonly string[] = [
  'attention.raised',
  'session.agent_changed',
  'question.escalated',
];

/** Whether other tasks may have another place in the queue. */
export function movesQueue(type: string): boolean {
  return MOVES_QUEUE.includes(type);
}

/** Whether the open items of its subject may be others. */
export function touchesInbox(type: string): boolean {
  return TOUCHES_INBOX.includes(type);
}
