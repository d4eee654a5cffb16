/** The choice of event types: whole groups and single types, changed one at a time. Pure. */
import { isListed } from '$shared/rules/events/is-routine.ts';
import { matchesType } from '$shared/rules/events/matches-type.ts';
import { EVENT_GROUPS, EVENT_TYPE_NAMES, PATTERNS, type EventGroup } from './event-types.ts';

type Types = readonly string[];

export function isTypeChosen(types: Types, type: string): boolean {
  return isListed(type, types) && types.some((pattern) => matchesType(pattern, type));
}

/** `some`: not the group, but a type of it. */
export function groupChoice(types: Types, { pattern }: EventGroup): 'all' | 'some' | 'none' {
  if (types.includes(pattern)) return 'all';
  return types.some((type) => matchesType(pattern, type)) ? 'some' : 'none';
}

/** A group takes the place of its single types. */
export function toggleGroup(types: Types, { pattern }: EventGroup): string[] {
  const others = types.filter((type) => !matchesType(pattern, type));
  return inOrder(types.includes(pattern) ? others : [...others, pattern]);
}

/** Without one of its types, a group becomes its other types. */
export function toggleType(types: Types, type: string): string[] {
  if (!isTypeChosen(types, type)) return inOrder([...types, type]);
  const others = types.filter((each) => each !== type);
  if (!isTypeChosen(others, type)) return inOrder(others);
  const rest = others.flatMap((pattern) =>
    matchesType(pattern, type)
      ? EVENT_TYPE_NAMES.filter((each) => matchesType(pattern, each) && isTypeChosen(others, each))
      : [pattern],
  );
  return inOrder(rest.filter((each) => each !== type));
}

/** The groups that match, each with its types that match; a group that matches itself has all. */
export function findTypes(text: string): { group: EventGroup; types: string[] }[] {
  const words = text.trim().toLowerCase();
  return EVENT_GROUPS.flatMap((group) => {
    const all = EVENT_TYPE_NAMES.filter((type) => matchesType(group.pattern, type));
    const types = group.label.toLowerCase().includes(words)
      ? all
      : all.filter((type) => type.includes(words));
    return types.length === 0 ? [] : [{ group, types }];
  });
}

/** The name of a group, a type as it is. */
export function labelOf(pattern: string): string {
  return EVENT_GROUPS.find((group) => group.pattern === pattern)?.label ?? pattern;
}

/** So that the same choice has one address. */
function inOrder(types: Types): string[] {
  return PATTERNS.filter((pattern) => types.includes(pattern));
}
