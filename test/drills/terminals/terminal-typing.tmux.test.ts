import { join } from 'node:path';
import { systemClock } from '../../../server/lib/clock.ts';
import { createTmuxHost } from '../../../server/terminals/tmux-host.ts';
import { describeTerminalTyping } from './terminal-typing.ts';

describeTerminalTyping('tmux', ({ directory, environment }) =>
  createTmuxHost({
    socketDirectory: join(directory, 'sockets'),
    environment,
    clock: systemClock,
  }),
);
