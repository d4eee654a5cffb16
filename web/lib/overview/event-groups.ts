/** Recent events by what they are about, for the column next to the overview. Pure. */
import { capitalized } from '$shared/rules/text/capitalized.ts';
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

/**
 * The group with the newest event first. `events` are the newest first. `runTitle`: what a run is
 * called; null while that is not known.
 */
export function groupEvents(
  events: readonly EventRecord[],
  runTitle: (id: string) => string | null = () => null,
): readonly EventGroup[] {
  const groups = new Map<string, EventRecord[]>();
  for (const event of events) {
    // A session and its loop are one thing to a reader; an alert has only a long id.
    const { session = null, subject } = event;
    const key = UNNAMED.includes(subject.kind) ? subject.kind : whomText({ session, subject });
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return [...groups].map(([key, each]) => ({
    key,
    label: plainText(labelOf(each, runTitle) ?? key),
    events: each,
  }));
}

/** What people call it, where that is not in its key. */
function labelOf(
  [event]: readonly EventRecord[],
  runTitle: (id: string) => string | null,
): string | null {
  if (event?.subject.kind === 'run') {
    const title = runTitle(event.subject.id);
    return title === null ? null : `run “${title}”`;
  }
  return event?.type === 'module.appeared' || event?.type === 'module.changed'
    ? `module “${event.data.title}”`
    : null;
}

/** What happened, in words: the input of a tool is left out, and so is the run that its group is about. */
export function eventLine(event: EventRecord): string {
  const { subject } = event;
  const whole = plainText(describeEvent(event).text);
  const text = subject.kind === 'run' ? withoutRun(whole, subject.id) : whole;
  const at = text.search(/[[{]\s*["{[]/);
  return at === -1 ? text : `${text.slice(0, at).replace(/[\s:,]+$/, '')} …`;
}

/** The sentence without the id, and without the word that only introduces it. */
function withoutRun(text: string, id: string): string {
  const phrases = [
    [`Run ${id}: `, ''],
    [`Run ${id} `, 'Run '],
    [` of ${id}`, ''],
    [` for ${id}`, ''],
    [` to ${id}`, ''],
    [`${id}: `, ''],
    [`${id}, `, ''],
    [`${id} `, ''],
  ] as const;
  const phrase = phrases.find(([said]) => text.includes(said));
  return phrase === undefined ? text : capitalized(text.replace(phrase[0], phrase[1]));
}
