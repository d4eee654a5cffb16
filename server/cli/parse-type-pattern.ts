/** Apart from the other parsers: it loads the schema of every event. */
import { isTypePattern } from '../../shared/schema/events/events.ts';
import { usage } from './command-parts.ts';

/** An event type, `prefix.*` or `*`. Throws a CliError (usage). */
export function parseTypePattern(text: string): string {
  if (isTypePattern(text)) return text;
  throw usage(`"${text}" is not an event type, prefix.* or *; all types are in docs/events.md`);
}
