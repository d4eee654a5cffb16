import { systemClock } from '../../../server/lib/clock.ts';
import { createPtyHost } from '../../../server/terminals/pty-host.ts';
import { describeTerminalTyping } from './terminal-typing.ts';

describeTerminalTyping('pty', ({ environment }) =>
  createPtyHost({ environment, clock: systemClock }),
);
