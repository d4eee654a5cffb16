import { attackOnEngines } from './attack.ts';
import { openClient, RECORD_TABLE } from './tables/records.ts';

await attackOnEngines({ engines: ['ws'], open: openClient, tables: [RECORD_TABLE] });
