/** Which events are listed: by type, session and text. Read from and written to the URL. */
import { describeEvent } from '$shared/words/events/describe-event.ts';
import type { EventRecord } from '$shared/schema/events/events.ts';
import { isListed } from '$shared/rules/events/is-routine.ts';
import { matchesType } from '$shared/rules/events/matches-type.ts';
import { quoted } from '$shared/rules/text/quoted.ts';
import { isOffered } from './event-types.ts';

export interface EventFilter {
  /** Exact types and `prefix.*`; empty selects all. */
  readonly types: readonly string[];
  readonly session: string | null;
  /** Part of a line's text, ignoring case. */
  readonly text: string;
}

/** Drops values that no event can have. */
export function readFilter(query: URLSearchParams): EventFilter {
  const types = (query.get('types') ?? '').split(',').filter(isOffered);
  const session = query.get('session') ?? '';
  return {
    types: [...new Set(types)],
    session: session === '' ? null : session,
    text: query.get('text') ?? '',
  };
}

/** Query parameters; null for what is not filtered. */
export function writeFilter({ types, session, text }: EventFilter): Record<string, string | null> {
  return { types: types.join(',') || null, session, text: text === '' ? null : text };
}

export function isNarrow({ types, session, text }: EventFilter): boolean {
  return types.length > 0 || session !== null || text.trim() !== '';
}

/** Saves of checkpoints only when their type is chosen, not with their group. */
export function eventSelector(filter: EventFilter): (event: EventRecord) => boolean {
  const { types, session } = filter;
  const words = filter.text.trim().toLowerCase();
  return (event) =>
    isListed(event.type, types) &&
    (types.length === 0 || types.some((pattern) => matchesType(pattern, event.type))) &&
    (session === null || event.session === session) &&
    (words === '' || lineOf(event).toLowerCase().includes(words));
}

/** The command that follows the same events in a shell. */
export function watchCommand({ types, session, text }: EventFilter): string {
  const words = text.trim();
  return [
    'loopwatch watch',
    ...(types.length === 0 ? [] : [`--types ${quoted(types.join(','))}`]),
    ...(session === null ? [] : [`--session ${quoted(session)}`]),
    ...(words === '' ? [] : [`| grep --line-buffered -iF -- ${quoted(words)}`]),
  ].join(' ');
}

/** The line that `loopwatch watch` prints, without the time. */
function lineOf(event: EventRecord): string {
  return `${event.session ?? '-'}  ${event.type}  ${describeEvent(event).text}`;
}
