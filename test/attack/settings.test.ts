import { attackOnEngines } from './attack.ts';
import { SETTING_TABLE } from './tables/settings.ts';

await attackOnEngines({ engines: ['ws'], open: async (target) => target, tables: [SETTING_TABLE] });
