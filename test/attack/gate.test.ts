import { attackOnEngines } from './attack.ts';
import { openDoor } from './door.ts';
import {
  CLAIM_TABLE,
  HANDSHAKE_TABLE,
  HOST_TABLE,
  METHOD_TABLE,
  ORIGIN_TABLE,
} from './tables/gate.ts';

const tables = [HOST_TABLE, ORIGIN_TABLE, CLAIM_TABLE, HANDSHAKE_TABLE, METHOD_TABLE];
await attackOnEngines({ open: openDoor, tables });
