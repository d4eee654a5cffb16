import { attackOnEngines } from './attack.ts';
import { FRAME_TABLES } from './tables/frames.ts';
import { openCallers } from './tables/roles.ts';

await attackOnEngines({ open: openCallers, tables: FRAME_TABLES });
