/** The one entry in the client's settings that makes it relay permissions and questions. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { append, removeSlot, rootOf, type Slot, slotsOf } from './json-text.ts';

/** The only event: its hook runs next to the client's own dialog and delays nothing. */
const EVENT = 'PermissionRequest';

const Entry = z.looseObject({ hooks: z.array(z.unknown()) });
const Hook = z.looseObject({ command: z.string() });
/** What is read of the settings; the rest may be anything. */
const Settings = z.looseObject({
  disableAllHooks: z.boolean().optional(),
  hooks: z.looseObject({ [EVENT]: z.array(z.unknown()).optional() }).optional(),
});

export interface HookCommand {
  type: 'command';
  command: string;
  /** Seconds. */
  timeout: number;
}

const UNSAFE = 'it cannot be changed safely: a key is there twice';

/** `text` is null where nothing can be changed; `refusal` then says why. */
export type Edited = { text: string; refusal: null } | { text: null; refusal: string };

/** Why the settings can be neither read nor changed; null when they can. */
function unreadable(text: string): string | null {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return 'it is not valid JSON: correct it first';
  }
  const isKnown = Settings.safeParse(json).success;
  return isKnown ? null : 'its "hooks" are not what the client expects: correct them first';
}

/** The commands of that event for which `isOurs` holds; none in a text that cannot be read. */
export function commandsOf(text: string, isOurs: (command: string) => boolean): string[] {
  if (unreadable(text) !== null) return [];
  const entries = (JSON.parse(text) as z.infer<typeof Settings>).hooks?.[EVENT] ?? [];
  return entries
    .flatMap((entry) => Entry.safeParse(entry).data?.hooks ?? [])
    .flatMap((hook) => Hook.safeParse(hook).data?.command ?? [])
    .filter(isOurs);
}

export function withEntry(text: string, hook: HookCommand): Edited {
  const refusal = unreadable(text);
  if (refusal !== null) return { text: null, refusal };
  if ((JSON.parse(text) as z.infer<typeof Settings>).disableAllHooks === true) {
    return { text: null, refusal: 'its "disableAllHooks" switches off all hooks' };
  }
  const entry = { matcher: '', hooks: [hook] };
  const root = rootOf(text);
  const hooks = member(text, root, 'hooks');
  const event = hooks === null ? null : member(text, hooks.value, EVENT);
  const changed =
    hooks === null
      ? append(text, root, 'hooks', { [EVENT]: [entry] })
      : event === null
        ? append(text, hooks.value, EVENT, [entry])
        : append(text, event.value, null, entry);
  const expected = JSON.parse(text) as { hooks?: Record<string, unknown[]> };
  expected.hooks ??= {};
  expected.hooks[EVENT] = [...(expected.hooks[EVENT] ?? []), entry];
  return checked(changed, expected);
}

/** Removes those commands, and the braces that are empty after that. */
export function withoutEntries(text: string, isOurs: (command: string) => boolean): Edited {
  const refusal = unreadable(text);
  if (refusal !== null) return { text: null, refusal };
  let changed = text;
  for (let count = commandsOf(text, isOurs).length; count > 0; count -= 1) {
    changed = removeFirst(changed, isOurs);
  }
  if (commandsOf(changed, isOurs).length === 0) return { text: changed, refusal: null };
  return { text: null, refusal: UNSAFE };
}

function removeFirst(text: string, isOurs: (command: string) => boolean): string {
  const root = rootOf(text);
  const hooks = member(text, root, 'hooks');
  const event = hooks && member(text, hooks.value, EVENT);
  if (hooks === null || event === null) return text;
  for (const entry of slotsOf(text, event.value)) {
    const list = text[entry.value] === '{' ? member(text, entry.value, 'hooks') : null;
    if (list === null || text[list.value] !== '[') continue;
    for (const hook of slotsOf(text, list.value)) {
      const { data } = Hook.safeParse(JSON.parse(text.slice(hook.value, hook.to)));
      if (data === undefined || !isOurs(data.command)) continue;
      const line: [number, Slot][] = [
        [root, hooks],
        [hooks.value, event],
        [event.value, entry],
        [list.value, hook],
      ];
      return removeWithEmpty(text, line);
    }
  }
  return text;
}

/** From the outside in: the outermost that holds nothing else. */
function removeWithEmpty(text: string, line: readonly [number, Slot][]): string {
  const isOnly = ([at]: readonly [number, Slot]) => slotsOf(text, at).length === 1;
  const last = line.length - 1;
  let place = last;
  // An entry also has a matcher: it is empty without its hooks.
  while (place > 1 && isOnly(line[place] as [number, Slot])) place -= 1;
  if (place === 1 && isOnly(line[1] as [number, Slot])) place = 0;
  const [at, slot] = line[place] as [number, Slot];
  return removeSlot(text, at, slot);
}

/** The last one counts for a reader of JSON, and the check finds any other. */
function member(text: string, at: number, key: string): Slot | null {
  return slotsOf(text, at).findLast((slot) => slot.key === key) ?? null;
}

function checked(text: string, expected: unknown): Edited {
  const isAsExpected = isDeepStrictEqual(JSON.parse(text), expected);
  return isAsExpected ? { text, refusal: null } : { text: null, refusal: UNSAFE };
}
