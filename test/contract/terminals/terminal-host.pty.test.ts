import { systemClock } from '../../../server/lib/clock.ts';
import { createPtyHost } from '../../../server/terminals/pty-host.ts';
import { describeTerminalHost } from './terminal-host.ts';

describeTerminalHost('pty', ({ environment }) =>
  createPtyHost({ environment, clock: systemClock }),
);
