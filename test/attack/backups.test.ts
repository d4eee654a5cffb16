import { attackOnEngines } from './attack.ts';
import { BACKUP_TABLE } from './tables/backups.ts';

await attackOnEngines({ engines: ['ws'], open: async (target) => target, tables: [BACKUP_TABLE] });
