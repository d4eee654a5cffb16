/** Events of a host whose version is newer, as pages and shells of this one say them. */
import { expect, it } from 'vitest';
import type { EventRecord } from '../../../shared/schema/events.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';

it.each([
  ['a type of an unknown group', { type: 'later.thing', data: { more: [1] } }],
  ['a new type of a known group', { type: 'task.later', data: { task: 'fix' } }],
  ['a reason that has no words yet', { type: 'task.held', data: { task: 'fix', reason: 'later' } }],
  ['data that are not there', { type: 'session.created' }],
])('FH24 an event with %s is described by its type', (_, event) => {
  expect(describeEvent(event as unknown as EventRecord)).toEqual({
    text: event.type,
    tone: 'idle',
  });
});
