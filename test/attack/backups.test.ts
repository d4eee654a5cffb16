import { attackOnEngines } from './attack.ts';
import { BACKUP_TABLE } from './tables/backups.ts';

await attackOnEngines({
  engines: ['ws'],
  open: async (target) => Promise.resolve(target),
  tables: [BACKUP_TABLE],
});
