import { attackOnEngines } from './attack.ts';
import { openDoor } from './door.ts';
import { EVENT_TABLE } from './tables/events.ts';

await attackOnEngines({ open: openDoor, tables: [EVENT_TABLE] });
