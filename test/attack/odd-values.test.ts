import { attackOnEngines } from './attack.ts';
import { openDoor } from './door.ts';
import { BRANCH_TABLE, HALF_TABLE } from './tables/odd-values.ts';

await attackOnEngines({ open: openDoor, tables: [HALF_TABLE, BRANCH_TABLE] });
