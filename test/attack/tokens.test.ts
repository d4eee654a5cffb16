import { attackOnEngines } from './attack.ts';
import { openCallers, ROLE_TABLES } from './tables/roles.ts';
import { USE_TABLE } from './tables/secrets.ts';
import { PLACE_TABLE } from './tables/token-places.ts';

await attackOnEngines({ open: openCallers, tables: [...ROLE_TABLES, PLACE_TABLE, USE_TABLE] });
