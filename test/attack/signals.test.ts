import { attackOnEngines } from './attack.ts';
import { openLoop, SIGNAL_TABLE } from './tables/signals.ts';

await attackOnEngines({ open: openLoop, tables: [SIGNAL_TABLE] });
