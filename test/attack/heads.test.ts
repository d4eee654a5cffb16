import { attackOnEngines } from './attack.ts';
import { openDoor } from './door.ts';
import { LAST_TABLE, LINES_TABLE, LOOSE_TABLE } from './tables/heads.ts';

await attackOnEngines({ open: openDoor, tables: [LINES_TABLE, LAST_TABLE, LOOSE_TABLE] });
