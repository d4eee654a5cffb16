/** The setting that chooses the network engine. */
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { INSTALL, loadUws } from '../../../server/transport/uws/engine.ts';
import { World } from '../../support/daemon/world.ts';

/** Makes the one package impossible to find in a process; returns the options for its node. */
function withoutUws(directory: string): string {
  const hooks = join(directory, 'hooks.mjs');
  const preload = join(directory, 'preload.mjs');
  const refuse = "if (name === 'uWebSockets.js') throw new Error('not here');";
  writeFileSync(
    hooks,
    `export async function resolve(name, context, next) { ${refuse} return next(name, context); }`,
  );
  writeFileSync(preload, `import { register } from 'node:module'; register('file://${hooks}');`);
  return `--import=${preload}`;
}

it('TR13 an engine that cannot be loaded ends the start with 78, before the home is touched', async () => {
  await using world = new World({ LOOPWATCH_TRANSPORT: 'uws' });
  const daemon = world.run(['start'], { NODE_OPTIONS: withoutUws(world.root) });
  let message = '';
  daemon.stderr?.on('data', (data: Buffer) => (message += data.toString()));
  const [code] = (await once(daemon, 'close')) as [number | null];
  expect({ code, lines: message.trim().split('\n').length, message }).toMatchObject({
    code: 78,
    lines: 1,
  });
  expect(message).toContain('LOOPWATCH_TRANSPORT=uws');
  expect(message).toContain(INSTALL);
  expect(existsSync(world.home)).toBe(false);
});

it('TR1 an unknown engine is refused by name', async () => {
  await using world = new World({ LOOPWATCH_TRANSPORT: 'quic' });
  const { code, stderr } = await world.cli('start');
  expect({ code, named: stderr.includes('LOOPWATCH_TRANSPORT') }).toEqual({
    code: 78,
    named: true,
  });
});

it('TR1 the status names the engine, which is ws by default', async () => {
  await using world = new World();
  const { api } = await world.start();
  expect((await api.get('/api/status')).body['transport']).toBe('ws');
});

it('TR13 a build that is not the engine is refused', async () => {
  await expect(loadUws(async () => Promise.resolve({ default: {} }))).rejects.toThrow(INSTALL);
});
