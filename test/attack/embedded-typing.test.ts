/** What is typed once more, with the terminals of the daemon itself. */
import { attackOnEngines } from './attack.ts';
import { openListener, TYPING_TABLE } from './tables/typing.ts';

await attackOnEngines({
  engines: ['ws'],
  settings: { LOOPWATCH_TERMINAL: 'pty' },
  open: openListener,
  tables: [TYPING_TABLE],
});
