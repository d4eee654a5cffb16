/** How many loops, tasks and runs were completed since the daemon started. */
import type { EncodedEvent, EventLog } from '../events/event-log.ts';

/** Events read at once; more than a tick usually appends. */
const PAGE_EVENTS = 500;

type ListenedLog = Pick<EventLog, 'head' | 'read' | 'listen'>;

export class CompletedJobs {
  /** Ends the counting. */
  readonly dispose: () => void;
  #cursor: number;
  #count = 0;

  constructor(log: ListenedLog) {
    this.#cursor = log.head;
    this.dispose = log.listen(() => this.#readEvents(log));
  }

  get count(): number {
    return this.#count;
  }

  #readEvents(log: ListenedLog): void {
    for (;;) {
      const events = log.read(this.#cursor, PAGE_EVENTS);
      this.#count += events.filter(isCompletion).length;
      this.#cursor = events.at(-1)?.seq ?? this.#cursor;
      if (events.length < PAGE_EVENTS) return;
    }
  }
}

function isCompletion({ type, json }: EncodedEvent): boolean {
  if (type !== 'auto.ended' && type !== 'task.status' && type !== 'run.done') return false;
  const { data } = JSON.parse(json) as { data: Record<string, unknown> };
  if (type === 'auto.ended') return data['reason'] === 'completed';
  if (type === 'run.done') return data['status'] === 'done';
  return data['status'] === 'COMPLETED' && data['before'] !== 'COMPLETED';
}
