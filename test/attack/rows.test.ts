/** The suite as a whole: how many attacks it tries, and that each one is unique. */
import { expect, it } from 'vitest';
import { specFiles } from '../support/house/spec-rules.ts';
import { BACKUP_TABLE } from './tables/backups.ts';
import { TEXT_TABLE, TYPE_TABLE } from './tables/bodies.ts';
import { EVENT_TABLE } from './tables/events.ts';
import { FRAME_TABLES } from './tables/frames.ts';
import {
  CLAIM_TABLE,
  HANDSHAKE_TABLE,
  HOST_TABLE,
  METHOD_TABLE,
  ORIGIN_TABLE,
} from './tables/gate.ts';
import { ID_TABLE, NAME_TABLE, SPELLING_TABLE } from './tables/addresses.ts';
import { ELSEWHERE_TABLES, LOADED_TABLE } from './tables/paths.ts';
import { FRAMING_TABLE, HEAD_TABLE } from './tables/raw.ts';
import { RECORD_TABLE } from './tables/records.ts';
import { REPOSITORY_TABLE } from './tables/repositories.ts';
import { ROLE_TABLES } from './tables/roles.ts';
import { SCREEN_TABLE } from './tables/screens.ts';
import { USE_TABLE } from './tables/secrets.ts';
import { PLACE_TABLE } from './tables/token-places.ts';
import { LAST_TABLE, LINES_TABLE, LOOSE_TABLE } from './tables/heads.ts';
import { BRANCH_TABLE, HALF_TABLE } from './tables/odd-values.ts';
import { SETTING_TABLE } from './tables/settings.ts';
import { SIGNAL_TABLE } from './tables/signals.ts';
import { TYPING_TABLE } from './tables/typing.ts';
import { ALERT_VALUE_TABLE } from './tables/alert-values.ts';
import { VALUE_TABLES } from './tables/values.ts';

const TABLES = [
  HOST_TABLE,
  ORIGIN_TABLE,
  CLAIM_TABLE,
  HANDSHAKE_TABLE,
  METHOD_TABLE,
  FRAMING_TABLE,
  HEAD_TABLE,
  ...ROLE_TABLES,
  PLACE_TABLE,
  USE_TABLE,
  TEXT_TABLE,
  TYPE_TABLE,
  ...VALUE_TABLES,
  ALERT_VALUE_TABLE,
  ...ELSEWHERE_TABLES,
  LOADED_TABLE,
  NAME_TABLE,
  SPELLING_TABLE,
  ID_TABLE,
  TYPING_TABLE,
  LINES_TABLE,
  LAST_TABLE,
  LOOSE_TABLE,
  HALF_TABLE,
  BRANCH_TABLE,
  SETTING_TABLE,
  BACKUP_TABLE,
  REPOSITORY_TABLE,
  SCREEN_TABLE,
  RECORD_TABLE,
  SIGNAL_TABLE,
  ...FRAME_TABLES,
  EVENT_TABLE,
];
const ROWS = TABLES.flatMap(({ rows }) => rows.map(({ rule, name }) => ({ rule, name })));

/** Rule families under attack, each with its minimum number of rows. */
const AT_LEAST = {
  AG: 40,
  AL: 40,
  AT: 3,
  CL: 90,
  EV: 40,
  GA: 250,
  HK: 30,
  KE: 70,
  LP: 25,
  LT: 5,
  PE: 100,
  PM: 3,
  SD: 30,
  SE: 200,
  SG: 60,
  SH: 3,
  TR: 130,
  TW: 80,
  UL: 2,
  WI: 200,
  WT: 110,
};

it('at least 1,500 attacks are tried, each under a name of its own', () => {
  const names = ROWS.map(({ rule, name }) => `${rule} ${name}`);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect(names.length).toBeGreaterThanOrEqual(1_500);
});

it('each row names a rule of docs/spec', () => {
  const rules = new Set(specFiles().flatMap((file) => file.rules));
  expect(ROWS.filter(({ rule }) => !rules.has(rule))).toEqual([]);
});

it('each family of rules that is tried keeps its rows', () => {
  const counts: Record<string, number> = {};
  for (const { rule } of ROWS) counts[rule.slice(0, 2)] = (counts[rule.slice(0, 2)] ?? 0) + 1;
  const found = Object.entries(counts);
  const report = found.map(([family, count]) => `${family} ${count}`).sort();
  console.info(`${ROWS.length} attacks: ${report.join(', ')}`);
  const short = Object.entries(AT_LEAST).filter(([family, least]) => (counts[family] ?? 0) < least);
  expect(short).toEqual([]);
});
