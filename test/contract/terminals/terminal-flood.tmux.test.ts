import { join } from 'node:path';
import { systemClock } from '../../../server/lib/clock.ts';
import { createTmuxHost } from '../../../server/terminals/tmux-host.ts';
import { describeTerminalFlood } from './terminal-flood.ts';

describeTerminalFlood('tmux', ({ directory, environment }) =>
  createTmuxHost({
    socketDirectory: join(directory, 'sockets'),
    environment,
    clock: systemClock,
  }),
);
