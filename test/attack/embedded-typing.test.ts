/** The attacks with typed text, repeated with the embedded terminals. */
import { attackOnEngines } from './attack.ts';
import { openListener, TYPING_TABLE } from './tables/typing.ts';

await attackOnEngines({
  engines: ['ws'],
  settings: { LOOPWATCH_TERMINAL: 'pty' },
  open: openListener,
  tables: [TYPING_TABLE],
});
