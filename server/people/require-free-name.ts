import { quoted } from '../../shared/rules/text/quoted.ts';
import { isReservedName, personKey } from '../../shared/schema/people/person-name.ts';
import { AppError } from '../lib/app-error.ts';

interface Named {
  id: string;
  name: string;
  nameKey: string;
}

/** Throws `name_taken` when `name` could be confused with that of one of `people`, except one id. */
export function requireFreeName(
  name: string,
  people: readonly Named[],
  except: string | null,
): void {
  const key = personKey(name);
  const other = people.find((each) => each.nameKey === key && each.id !== except);
  const next = 'choose another name';
  if (other === undefined) {
    if (!isReservedName(name)) return;
    throw new AppError('name_taken', `"${name}" is reserved for the daemon; ${next}`);
  }
  const why =
    other.name === name
      ? `${name} is already a member`
      : `"${name}" is too similar to "${other.name}"`;
  const link = `for a new link: loopwatch people link ${quoted(other.name)}`;
  throw new AppError('name_taken', `${why}; ${next}, or ${link}`);
}
