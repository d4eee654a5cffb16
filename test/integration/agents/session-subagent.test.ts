/** What a subagent of a session did, over the API. */
import { expect, it } from 'vitest';
import { startSteps } from '../../support/auto/loops-in-trouble.ts';
import { transcriptOf } from '../../support/agents/session-transcript.ts';
import { callLine, resultLine } from '../../support/agents/transcript-lines.ts';
import { writeSubagent } from '../../support/agents/write-subagent.ts';
import { World } from '../../support/daemon/world.ts';

const CHECK = { step: 'check', result: 'PASS', next: 'exec' };
const LONG_STEP = { do: 'step', work_ms: 3_600_000, signal: CHECK };

it('SA10 the calls of a subagent are read by the call that started it', async () => {
  await using world = new World();
  const { api } = await world.start();
  await startSteps(world, api, 'web', [LONG_STEP]);
  const transcript = await transcriptOf(world, api, 'web');
  transcript.write(callLine('toolu_1', 'Agent', { description: 'Look around' }));
  const more = { isSidechain: true, agentId: 'a019444c243e7e048' };
  const call = (id: string) => callLine(id, 'Bash', { command: 'make' }, more);
  const subagent = writeSubagent(transcript.path, more.agentId, 'toolu_1', [call('one')]);
  const read = async (query: string) => {
    const { status, body } = await api.get(`/api/sessions/web/activity?subagent=${query}`);
    const steps = (body['steps'] ?? []) as { id: string }[];
    return { status, ids: steps.map(({ id }) => id) };
  };
  expect(await read('toolu_1')).toEqual({ status: 200, ids: ['one'] });
  subagent.write(resultLine('one', 'ok'), call('two'));
  expect((await read('toolu_1')).ids).toEqual(['one', 'two']);
  // What the session itself called is not what its subagent called.
  const { body } = await api.get('/api/sessions/web/activity');
  expect(body['steps']).toMatchObject([{ id: 'toolu_1' }]);
  for (const other of ['toolu_2', encodeURIComponent('../../toolu_1')]) {
    expect(await read(other)).toEqual({ status: 200, ids: [] });
  }
});
