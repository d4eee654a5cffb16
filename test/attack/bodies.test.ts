import { attackOnEngines } from './attack.ts';
import { openDoor } from './door.ts';
import { ALERT_VALUE_TABLE } from './tables/alert-values.ts';
import { TEXT_TABLE, TYPE_TABLE } from './tables/bodies.ts';
import { VALUE_TABLES } from './tables/values.ts';

await attackOnEngines({
  open: openDoor,
  tables: [TEXT_TABLE, TYPE_TABLE, ...VALUE_TABLES, ALERT_VALUE_TABLE],
});
