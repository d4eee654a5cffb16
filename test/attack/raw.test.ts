import { attackOnEngines } from './attack.ts';
import { openDoor } from './door.ts';
import { FRAMING_TABLE, HEAD_TABLE } from './tables/raw.ts';

await attackOnEngines({ open: openDoor, tables: [FRAMING_TABLE, HEAD_TABLE] });
