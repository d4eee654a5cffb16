import { createPtyHost } from '../../server/terminals/pty-host.ts';
import { describeTerminalTap } from './terminal-tap.ts';

describeTerminalTap('pty', ({ environment }) => createPtyHost({ environment }));
