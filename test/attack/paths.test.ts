import { attackOnEngines } from './attack.ts';
import { ID_TABLE, NAME_TABLE, SPELLING_TABLE } from './tables/addresses.ts';
import { ELSEWHERE_TABLES, LOADED_TABLE, openPaths } from './tables/paths.ts';

const tables = [...ELSEWHERE_TABLES, LOADED_TABLE, NAME_TABLE, SPELLING_TABLE, ID_TABLE];
await attackOnEngines({ open: openPaths, tables });
