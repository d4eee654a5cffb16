/** The attacks with printed bytes, repeated with the embedded terminals. */
import { attackOnEngines } from './attack.ts';
import { openPrinter, SCREEN_TABLE } from './tables/screens.ts';

await attackOnEngines({
  engines: ['ws'],
  settings: { LOOPWATCH_TERMINAL: 'pty' },
  open: openPrinter,
  tables: [SCREEN_TABLE],
});
