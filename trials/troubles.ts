/** What fails around a client: its stream, its login, its plan. */
import type { AttentionItem } from '../shared/schema/attention/attention.ts';
import { hang, refused, say, usageLimit } from './model/reply.ts';
import type { Stage } from './stage.ts';
import { waitForLimit } from './wait-for-limit.ts';

/** Older clients say a reset to the minute. */
const LIMIT_S = 80;
/** Newer clients say after 40 to 97 seconds that nothing comes; older ones never do. */
const HANG_MS = 120_000;

/** In this order; a part throws when it does not end as it should. */
export const TROUBLES: Record<string, (stage: Stage) => Promise<void>> = {
  'an answer that hangs': async (stage) => {
    await stage.begin();
    await stage.startClient();
    stage.model.next(hang());
    await stage.prompt('Begin, and stop.');
    const sinceMs = performance.now();
    await stage.until('the stream is seen to hang', async () => {
      const agent = await stage.agent().catch(() => null);
      const isSilent = performance.now() - sinceMs > HANG_MS;
      return agent?.cause === 'hung_stream' || (isSilent && agent?.state === 'working');
    });
    await stage.send('POST', stage.path('interrupt'));
    await stage.settles();
  },
  'a login that is refused': async (stage) => {
    // Some versions try a refused login ten times.
    await stage.restartClient('default', 'CLAUDE_CODE_MAX_RETRIES=2');
    stage.model.decide(refused);
    await stage.prompt('Log in.');
    stage.truth.isUnknown();
    await stage.until('an item for it', async () => {
      const { items } = (await stage.send('GET', '/api/attention')) as { items: AttentionItem[] };
      return items.some(({ reason }) => reason === 'login_needed');
    });
    stage.model.decide(() => say('Here I am again.'));
  },
  'a weekly limit, across a killed daemon': async (stage) => {
    await stage.restartClient();
    stage.model.next(usageLimit(Math.floor(Date.now() / 1_000) + LIMIT_S, 'seven_day'));
    await stage.prompt('Work all week.');
    await waitForLimit(stage);
    await stage.daemon.end('SIGKILL');
    await stage.daemon.start();
    await stage.hasCause('weekly');
  },
};
