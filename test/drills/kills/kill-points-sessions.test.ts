/** A daemon killed before each of its system calls while it acts on a session, or shuts down. */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { type RelayRun, runRelay, writeRunFile } from '../../support/agents/hook-relay.ts';
import { eventsOf, kills } from '../../support/drills/kill-scene.ts';
import { until } from '../../support/house/until.ts';

const ASK = {
  hook_event_name: 'PermissionRequest',
  session_id: 'x',
  tool_name: 'Bash',
  tool_input: { command: 'true', description: 'Do nothing' },
};

kills('a session is opened', (scene) => ({
  async act({ api }, acknowledged) {
    scene.turn += 1;
    await api.openSession(`s${scene.turn}`, scene.directory);
    acknowledged();
  },
  async check(api, acknowledged) {
    const name = `s${scene.turn}`;
    await until('it is open or not there', async () => {
      const { status, body } = await api.get(`/api/sessions/${name}`);
      return (status === 404 && !acknowledged) || body['status'] === 'open';
    });
    await api.send('DELETE', `/api/sessions/${name}`);
    await until(
      'it is closed',
      async () => (await api.get(`/api/sessions/${name}`)).status === 404,
    );
  },
}));

kills('input is typed', (scene) => {
  const typed = () => {
    const file = join(scene.directory, 'typed');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  };
  return {
    async prepare(api) {
      await scene.open(api);
      await until('its prompt', async () =>
        JSON.stringify((await api.get('/api/sessions/web/screen')).body['lines']).includes('#'),
      );
    },
    async act({ api }, acknowledged) {
      scene.turn += 1;
      const text = `echo ${scene.turn} >> typed`;
      const { status, body } = await api.send('POST', '/api/sessions/web/input', {
        text,
        submit: true,
      });
      expect(status).toBeLessThan(300);
      if (body['delivery'] === 'typed') acknowledged();
    },
    async check(api, acknowledged) {
      const word = String(scene.turn);
      const mine = (await inputsOf(api)).find(({ text }) => text === `echo ${word} >> typed`);
      if (acknowledged) expect(mine?.delivery).toBe('typed');
      await until('it is settled', async () => {
        return (await inputsOf(api)).every(
          ({ delivery }) => delivery !== 'held' && delivery !== 'delivering',
        );
      });
      if (acknowledged) await until('it was run', () => typed().includes(word));
      expect(typed().filter((line) => line === word).length).toBeLessThanOrEqual(1);
    },
  };
});

kills('an answer is given to an agent', (scene) => {
  let relay: RelayRun | null = null;
  let id = '';
  const open = async (api: ApiClient) =>
    ((await api.get('/api/attention')).body as { items: { id: string; request: unknown }[] }).items;
  return {
    async prepare(api) {
      await scene.run(api);
      relay ??= runRelay(scene.world, writeRunFile(scene.world), ASK);
      id = await until(
        'it asks',
        async () => (await open(api)).find(({ request }) => request !== null)?.id,
      );
    },
    async act({ api }, acknowledged) {
      const { status } = await api.send('POST', `/api/attention/${id}/answer`, {
        decision: 'allow',
      });
      expect(status).toBe(200);
      acknowledged();
      await relay?.ended;
    },
    async check(api, acknowledged) {
      const published = (await eventsOf(api, 'attention.cleared')).filter(
        ({ data }) => 'id' in data && data.id === id,
      );
      expect(published).toHaveLength(1);
      if (acknowledged) expect(published[0]?.data).toMatchObject({ outcome: 'answered' });
      if (relay !== null && (relay.child.exitCode ?? relay.child.signalCode) !== null) {
        expect((await relay.ended).stdout).toContain('"behavior":"allow"');
        relay = null;
      }
      expect((await open(api)).length).toBeLessThanOrEqual(1);
    },
  };
});

kills('it ends itself', (scene) => ({
  prepare: async (api) => scene.run(api),
  async act({ process: child }, acknowledged) {
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    if ((await exited)[0] === 0) acknowledged();
  },
  async check(api) {
    await until('its loop continues', async () => (await api.loop('web')).status === 'running');
    expect({ agents: scene.agents, launches: scene.launches }).toEqual({ agents: 1, launches: 1 });
  },
}));

async function inputsOf(api: ApiClient): Promise<{ text: string; delivery: string }[]> {
  const { body } = await api.get('/api/sessions/web/inputs');
  return (body as unknown as { inputs: { text: string; delivery: string }[] }).inputs;
}
