import { systemClock } from '../../../server/lib/clock.ts';
import { createPtyHost } from '../../../server/terminals/pty-host.ts';
import { describeTerminalTap } from './terminal-tap.ts';

describeTerminalTap('pty', ({ environment }) => createPtyHost({ environment, clock: systemClock }));
