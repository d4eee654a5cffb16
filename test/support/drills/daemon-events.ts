/**
 * The events of successive daemons on one home, read one after another, against what each of them
 * lists: the two must be the same, however the previous daemon ended.
 */
import type { EventRecord } from '../../../shared/schema/events/events.ts';
import type { Loop } from '../../../shared/schema/model.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { LoopHistory } from '../auto/loop-history.ts';
import { until } from '../house/until.ts';

export class DaemonStory {
  readonly history = new LoopHistory();
  /** Every event that was read, as it was sent. */
  readonly records: string[] = [];
  readonly wrong: string[] = [];

  /** Reads what is new. */
  async read(api: ApiClient): Promise<void> {
    const events = await eventsAfter(api, this.history.lastSeq);
    this.records.push(...events.map(asText));
    this.history.record(events);
  }

  /** Waits for a moment without new events; then streamed and listed events are the same. */
  async compare(api: ApiClient): Promise<void> {
    await until('a still moment', async () => {
      await this.read(api);
      const { head, ...listed } = await listedBy(api);
      if (head !== this.history.lastSeq) return false;
      const fromEvents = {
        sessions: [...this.history.sessions].sort(),
        loops: this.history.live.map(({ session }) => session).sort(),
      };
      if (JSON.stringify(listed) !== JSON.stringify(fromEvents)) {
        this.wrong.push(
          `published ${JSON.stringify(fromEvents)}, listed ${JSON.stringify(listed)}`,
        );
      }
      return true;
    });
  }
}

/** Every stored event, as text, oldest first. */
export async function allRecords(api: ApiClient): Promise<string[]> {
  return (await eventsAfter(api, 0)).map(asText);
}

/** Names of sessions and of loops that have not failed, and the seq of the list. */
export async function listedBy(api: ApiClient) {
  const { sessions } = (await api.get('/api/sessions')).body as { sessions: { name: string }[] };
  const { loops } = (await api.get('/api/task-auto')).body as unknown as { loops: Loop[] };
  const { head } = (await api.get('/api/status')).body as { head: number };
  return {
    head,
    sessions: sessions.map(({ name }) => name).sort(),
    loops: loops
      .filter(({ status }) => status !== 'failed')
      .map(({ session_name }) => session_name)
      .sort(),
  };
}

async function eventsAfter(api: ApiClient, after: number): Promise<EventRecord[]> {
  const events: EventRecord[] = [];
  for (let next = after; ;) {
    const { body } = await api.get(`/api/events?after=${next}&limit=1000`);
    const page = body as unknown as { events: EventRecord[]; next: number; head: number };
    events.push(...page.events);
    next = page.next;
    if (next >= page.head) return events;
  }
}

function asText(event: EventRecord): string {
  return JSON.stringify(event);
}
