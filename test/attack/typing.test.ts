import { attackOnEngines } from './attack.ts';
import { openListener, TYPING_TABLE } from './tables/typing.ts';

await attackOnEngines({ open: openListener, tables: [TYPING_TABLE] });
