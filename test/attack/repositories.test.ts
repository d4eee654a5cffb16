import { attackOnEngines } from './attack.ts';
import { openRepositories, REPOSITORY_TABLE } from './tables/repositories.ts';

await attackOnEngines({ engines: ['ws'], open: openRepositories, tables: [REPOSITORY_TABLE] });
