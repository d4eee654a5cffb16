/** What a host whose version is newer says, as pages and shells of this one show it. */
import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { EVENT_SCHEMA } from '../../../shared/rules/wire.ts';
import type { DeliveryReason } from '../../../shared/schema/attention/delivery.ts';
import { type EventRecord, EventSchema } from '../../../shared/schema/events/events.ts';
import type { Reason } from '../../../shared/schema/reasons.ts';
import { nextStep } from '../../../shared/words/attention-text.ts';
import { deliveryReasonText } from '../../../shared/words/sessions/delivery-text.ts';
import { describeEvent } from '../../../shared/words/events/describe-event.ts';
import { reasonText } from '../../../shared/words/reason-text.ts';

it.each([
  ['a type of an unknown group', { type: 'later.thing', data: { more: [1] } }],
  ['a new type of a known group', { type: 'task.later', data: { task: 'fix' } }],
  ['data that are not there', { type: 'session.created' }],
])('FH24 an event with %s is described by its type', (_, event) => {
  expect(describeEvent(event as unknown as EventRecord)).toEqual({
    text: event.type,
    tone: 'idle',
  });
});

it('FH28 a reason without words is shown by its code, and says who must be updated', () => {
  const reason = 'out_of_paper' as Reason;
  const next = 'This reason comes from a newer version of Loopwatch. Update this one.';
  expect(reasonText(reason)).toEqual({ label: 'Out of paper', next });
  expect(nextStep({ reason, subject: { kind: 'task', id: 'fix' } })).toBe(next);
  expect(deliveryReasonText('out_of_paper' as DeliveryReason)).toBe('out of paper');
  const event = { type: 'task.held', data: { task: 'fix', reason, detail: 'buy some' } };
  expect(describeEvent(event as unknown as EventRecord).text).toContain('Out of paper');
});

/** Of the schema that `EVENT_SCHEMA` names. */
const FINGERPRINT = 'bc33fbcae1ed065e';

it('FH28 a change of what events may contain raises their schema', () => {
  const text = JSON.stringify(z.toJSONSchema(EventSchema));
  const fingerprint = createHash('sha256').update(text).digest('hex').slice(0, 16);
  expect([EVENT_SCHEMA, fingerprint]).toEqual([1, FINGERPRINT]);
});
