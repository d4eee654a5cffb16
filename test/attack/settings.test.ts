import { attackOnEngines } from './attack.ts';
import { SETTING_TABLE } from './tables/settings.ts';

await attackOnEngines({
  engines: ['ws'],
  open: async (target) => Promise.resolve(target),
  tables: [SETTING_TABLE],
});
