/** The body a target receives, and an id that stays the same over attempts and restarts. */
import { createHash } from 'node:crypto';
import type { Match } from '../rules/rule-matcher.ts';

const ID_DIGITS = 20;

/** 20 hex digits. */
export function deliveryId(epoch: string, seq: number, rule: string): string {
  const name = `${epoch}:${seq}:${rule}`;
  return createHash('sha256').update(name).digest('hex').slice(0, ID_DIGITS);
}

/** JSON: type, timestamp, and the event with its epoch. */
export function deliveryBody({ event: { type, json }, at }: Match, epoch: string): string {
  const data = `${json.slice(0, -1)},"epoch":${JSON.stringify(epoch)}}`;
  return `{"type":${JSON.stringify(type)},"timestamp":${JSON.stringify(at)},"data":${data}}`;
}

/** A test is no event and has no seq. */
export function testBody({ id, name }: { id: string; name: string }, timestamp: string): string {
  return JSON.stringify({ type: 'alert.test', timestamp, data: { test: true, rule: id, name } });
}
