/** Ids as people type them: whole, by name, or by the first characters. */
import { countText } from '../../shared/words/count-text.ts';
import { CliError, ExitCode } from './exit-code.ts';

/** Where each kind is listed. */
const LISTS = {
  item: 'attention ls --all',
  alert: 'alert ls',
  prompt: 'prompt ls',
  delivery: 'alert log',
  incident: 'alert incidents --all',
  'task module': 'module ls',
  claim: 'fleet claims',
} as const;
/** Where it is not the word with an s. */
const PLURAL: Partial<Record<keyof typeof LISTS, string>> = { delivery: 'deliveries' };
type Findable = keyof typeof LISTS;

interface Named {
  id: string;
  name?: string;
}

/** Throws a CliError (not found) when nothing or more than one fits; `list` shows the ids. */
export function findId(given: string, candidates: readonly Named[], what: Findable): string {
  const exact = candidates.find(({ id, name }) => id === given || name === given);
  if (exact !== undefined) return exact.id;
  const close = given === '' ? [] : candidates.filter(({ id }) => id.startsWith(given));
  const [only] = close;
  if (only !== undefined && close.length === 1) return only.id;
  const several = `${countText(close.length, what, PLURAL[what])} begin with "${given}"; type more of the id`;
  const none = `no ${what} "${given}"; list them with: loopwatch ${LISTS[what]}`;
  throw new CliError(ExitCode.notFound, close.length > 1 ? several : none);
}
