/** Careful mode of a real daemon: a client that says it is newer than tested, in a real terminal. */
import { expect, it } from 'vitest';
import { NEWER, newerWorld, openNewer } from '../../support/agents/newer-client.ts';
import { rowsOf, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';

it('CF1 CF3 CF4 CF5 CF7 CF9 nothing is typed into a newer client until a person trusts it', async () => {
  await using world = newerWorld();
  const { api, agent } = await openNewer(world);
  const careful = await until('careful mode', async () => (await agent())?.careful);
  expect(careful).toEqual({ cause: 'untested_version', version: NEWER });
  const item = await until('the item', async () => {
    const { body } = await api.get('/api/attention');
    return (body['items'] as { reason: string; detail: string }[])[0] ?? null;
  });
  expect(item).toMatchObject({ reason: 'untested_client' });
  expect(item.detail).toContain(`loopwatch client trust ${NEWER}`);

  expect(await typeInto(api, 'web', 'say hello')).toBe('held');
  const inputs = async () =>
    (await api.get('/api/sessions/web/inputs')).body['inputs'] as Record<string, unknown>[];
  expect((await inputs())[0]).toMatchObject({ delivery: 'held', reason: 'agent_untested' });
  expect((await rowsOf(api, 'web')).join('\n')).not.toContain('say hello');

  expect(
    (await api.send('PUT', '/api/client-versions', { version: '2.1', trusted: true })).status,
  ).toBe(400);
  const trusted = await api.send('PUT', '/api/client-versions', { version: NEWER, trusted: true });
  expect(trusted.body).toMatchObject({
    versions: [{ version: NEWER, tested: false, trusted: true, sessions: ['web'] }],
  });
  await until('the input is typed', async () => (await inputs())[0]?.['delivery'] !== 'held');
  await until('it is in the terminal', async () =>
    (await rowsOf(api, 'web')).join('\n').includes('say hello'),
  );
  await until('the inbox is empty', async () => {
    const { body } = await api.get('/api/attention');
    return (body['items'] as unknown[]).length === 0;
  });
  expect((await agent())?.careful).toBeUndefined();

  await api.send('PUT', '/api/client-versions', { version: NEWER, trusted: false });
  await until('it is careful again', async () => (await agent())?.careful !== undefined);
});

it('CF6 with LOOPWATCH_CLIENT_TRUST=any every version is typed into', async () => {
  await using world = newerWorld({ LOOPWATCH_CLIENT_TRUST: 'any' });
  const { api, agent } = await openNewer(world);
  expect((await agent())?.careful).toBeUndefined();
  expect(await typeInto(api, 'web', 'say hello')).not.toBe('held');
});
