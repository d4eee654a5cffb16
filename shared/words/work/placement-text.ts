/** Why a task is on a host, in words: on the page, in the shell and in refusals. Pure. */
import { ANY_HOST } from '../../rules/any-host.ts';
import type { JudgedHost, Placed, PlacementReason } from '../../schema/tasks/placement.ts';
import { countText } from '../count-text.ts';

const REASONS: Record<PlacementReason['code'], (value: string) => string> = {
  not_named: () => 'another host was named',
  unreachable: () => 'cannot be reached',
  no_answer: () => 'did not answer',
  label_missing: (label) => `has no label ${label}`,
  repository_missing: () => 'does not have the repository',
  no_remote: () => 'the project has no remote to find it by on another host',
  tasks_elsewhere: () => 'the tasks it waits for are not there',
  token_of_home: () => 'the token of a home is only valid there; use the token of a person',
  free_slots: (slots) => (slots === '0' ? 'no free slot' : countText(Number(slots), 'free slot')),
  queue: (length) => `${length} in its queue`,
  plan_left: (percent) => `${percent} % of its plan left`,
  here: () => 'was asked',
};

/** `2 free slots, 40 % of its plan left`. */
export function judgedHostText({ reasons }: Pick<JudgedHost, 'reasons'>): string {
  return reasons.map(({ code, value }) => REASONS[code](value)).join(', ');
}

/** `any host with the label gpu`. */
export function askedPlaceText({ asked }: Pick<Placed, 'asked'>): string {
  if (asked.host !== ANY_HOST) return asked.host;
  const { labels } = asked;
  if (labels.length === 0) return 'any host';
  return `any host with the ${labels.length === 1 ? 'label' : 'labels'} ${labels.join(', ')}`;
}
