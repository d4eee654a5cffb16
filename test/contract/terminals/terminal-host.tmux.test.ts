import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../server/lib/clock.ts';
import { terminalEnvironment } from '../../../server/terminals/terminal-environment.ts';
import { createTmuxHost } from '../../../server/terminals/tmux-host.ts';
import { TEST_ROOT } from '../../support/house/test-root.ts';
import { describeTerminalHost } from './terminal-host.ts';

describeTerminalHost('tmux', ({ directory, environment }) =>
  createTmuxHost({ socketDirectory: join(directory, 'sockets'), environment, clock: systemClock }),
);

it('SE1 a session that was closed leaves no socket, and its name can be used again', async () => {
  const directory = mkdtempSync(join(TEST_ROOT, 's'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const socketDirectory = join(directory, 'sockets');
  mkdirSync(socketDirectory, { mode: 0o700 });
  const environment = terminalEnvironment({ ...process.env, SHELL: '/bin/bash' }, []);
  const host = createTmuxHost({ socketDirectory, environment, clock: systemClock });
  for (const round of [1, 2]) {
    const identity = await host.open('web', directory);
    expect([round, readdirSync(socketDirectory)]).toEqual([round, ['web']]);
    expect(await host.close('web', identity)).toEqual([]);
    expect([round, readdirSync(socketDirectory)]).toEqual([round, []]);
  }
  await host.dispose();
});
