/** Random requests against an engine: early answers, bodies of every size and cut, disconnects. */
import { expect, it } from 'vitest';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import {
  behaviorOf,
  type ConnectionPlan,
  mayEndBefore,
  randomConnection,
  respond,
  rightAnswer,
} from '../../support/events/exchange-plan.ts';
import type { Gaps } from '../../support/transport/on-engine.ts';
import { type Played, playConnection } from '../../support/transport/play-connection.ts';
import { Random, seeded, sized } from '../../support/house/random.ts';
import { TransportRig } from '../../support/transport/transport-rig.ts';
import { Uncaught } from '../../support/house/uncaught.ts';

const ROUNDS = sized({ short: 12, middle: 100, long: 2_000 });
/** Connections of one round, all at once. */
const CONNECTIONS = 8;

export function testExchangeFuzz(engine: TransportName, { pipelining }: Gaps): void {
  it('TR10 no order of requests, bodies, answers and leaving clients breaks an engine or an answer', async () => {
    using uncaught = new Uncaught();
    await using rig = await TransportRig.listen(engine);
    rig.gate = ({ target }) =>
      behaviorOf(target) === 'gate' ? new Response('gate', { status: 403 }) : null;
    rig.fetch = respond;
    await seeded(async (random) => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const plans = Array.from({ length: CONNECTIONS }, () =>
          randomConnection(new Random(random.int(0, 2 ** 31))),
        );
        const played = await Promise.all(plans.map(async (plan) => playConnection(rig.url, plan)));
        const wrong = plans.flatMap((plan, index) => judge(plan, played[index], pipelining));
        expect({ wrong, uncaught: uncaught.errors }).toEqual({ wrong: [], uncaught: [] });
      }
    });
    expect((await fetch(`${rig.url}/whole`, { method: 'POST', body: 'x' })).status).toBe(200);
  });
}

/** The faults of a played connection, as text. */
function judge(
  plan: ConnectionPlan,
  played: Played | undefined,
  pipelining: Gaps['pipelining'],
): string[] {
  const { answers = [], isClosed = false, isAborted = false } = played ?? {};
  const { exchanges, pipelined } = plan;
  const brief = (text: string | null | undefined) => text?.slice(0, 40);
  const wrong = answers.flatMap((answer, index) => {
    const exchange = exchanges[index];
    const right = exchange === undefined ? 'none' : rightAnswer(exchange);
    return answer === right ? [] : [`answer ${index} is ${brief(answer)}, not ${brief(right)}`];
  });
  const mayEnd =
    isAborted ||
    (isClosed && pipelined && pipelining === 'cut') ||
    (isClosed && mayEndBefore(plan, answers.length));
  if (answers.length < exchanges.length && !mayEnd) wrong.push(`no answer ${answers.length}`);
  return wrong.map((what) => `${what} in ${JSON.stringify(plan)}`);
}
