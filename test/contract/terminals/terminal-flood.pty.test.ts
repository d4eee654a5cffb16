import { systemClock } from '../../../server/lib/clock.ts';
import { createPtyHost } from '../../../server/terminals/pty-host.ts';
import { describeTerminalFlood } from './terminal-flood.ts';

describeTerminalFlood('pty', ({ environment }) =>
  createPtyHost({ environment, clock: systemClock }),
);
