/** Recent events by what they are about, for the column next to the overview. Pure. */
import { plainText } from '$shared/rules/text/plain-text.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { whomText } from '$shared/words/attention-text.ts';
import { describeEvent } from '$shared/words/events/describe-event.ts';

/** Kinds of which no reader knows one by its id. */
const UNNAMED: readonly string[] = ['alert', 'daemon', 'person'];

export interface EventGroup {
  readonly key: string;
  readonly label: string;
  /** Newest first. */
  readonly events: readonly EventRecord[];
}

/** The group with the newest event first. `events` are the newest first. */
export function groupEvents(events: readonly EventRecord[]): readonly EventGroup[] {
  const groups = new Map<string, EventRecord[]>();
  for (const event of events) {
    // A session and its loop are one thing to a reader; an alert has only a long id.
    const { session = null, subject } = event;
    const key = UNNAMED.includes(subject.kind) ? subject.kind : whomText({ session, subject });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return [...groups].map(([key, each]) => ({ key, label: plainText(key), events: each }));
}

/** What happened, in words: the input of a tool is left out. */
export function eventLine(event: EventRecord): string {
  const text = plainText(describeEvent(event).text);
  const at = text.search(/[[{]\s*["{[]/);
  return at === -1 ? text : `${text.slice(0, at).replace(/[\s:,]+$/, '')} …`;
}
