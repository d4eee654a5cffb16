import { attackOnEngines } from './attack.ts';
import { openPrinter, SCREEN_TABLE } from './tables/screens.ts';

await attackOnEngines({ engines: ['ws'], open: openPrinter, tables: [SCREEN_TABLE] });
