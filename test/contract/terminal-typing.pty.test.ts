import { createPtyHost } from '../../server/terminals/pty-host.ts';
import { describeTerminalTyping } from './terminal-typing.ts';

describeTerminalTyping('pty', ({ environment }) => createPtyHost({ environment }));
