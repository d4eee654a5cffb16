import { createPtyHost } from '../../server/terminals/pty-host.ts';
import { describeTerminalHost } from './terminal-host.ts';

describeTerminalHost('pty', ({ environment }) => createPtyHost({ environment }));
