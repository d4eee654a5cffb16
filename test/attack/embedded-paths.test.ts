/** The attacks with directories and files, repeated with the embedded terminals. */
import { attackOnEngines } from './attack.ts';
import { ELSEWHERE_TABLES, LOADED_TABLE, openPaths } from './tables/paths.ts';

await attackOnEngines({
  engines: ['ws'],
  settings: { LOOPWATCH_TERMINAL: 'pty' },
  open: openPaths,
  tables: [...ELSEWHERE_TABLES, LOADED_TABLE],
});
