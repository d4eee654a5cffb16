import { AnswerTickets } from '../../../server/push/answer-tickets.ts';
import { keepKey, SigningKey } from '../../../server/lib/signing-key.ts';
import type { ApiClient } from '../daemon/api-client.ts';
import { askPerson, BASH_REQUEST } from '../agents/need-person.ts';
import type { PushService } from './push-service.ts';
import type { World } from '../daemon/world.ts';

/** An agent asks; returns a browser of the caller and a ticket by which it can answer. */
export async function askInNotification(
  world: World,
  api: ApiClient,
  service: PushService,
): Promise<{ browser: string; ticket: string }> {
  const { id: item } = await askPerson(world, api, 'asking-browser', BASH_REQUEST);
  const subscription = service.browser('example').subscription('Firefox on Linux');
  const { body } = await api.send('POST', '/api/push/subscriptions', subscription);
  const browser = String(body['id']);
  const tickets = new AnswerTickets(new SigningKey(keepKey(world.home, 'push-answer-key')));
  return { browser, ticket: tickets.issue({ browser, item }, Date.now()) };
}
