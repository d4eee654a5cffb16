/** Directories and what is loaded in them once more, with the terminals of the daemon itself. */
import { attackOnEngines } from './attack.ts';
import { ELSEWHERE_TABLES, LOADED_TABLE, openPaths } from './tables/paths.ts';

await attackOnEngines({
  engines: ['ws'],
  settings: { LOOPWATCH_TERMINAL: 'pty' },
  open: openPaths,
  tables: [...ELSEWHERE_TABLES, LOADED_TABLE],
});
