/** People of a fleet on a real NATS server. */
import { jetstreamManager } from '@nats-io/jetstream';
import { expect, it } from 'vitest';
import { provisionFleet } from '../../../server/fleet/nats/provision-fleet.ts';
import { FleetRig, people } from '../../support/fleet/fleet-rig.ts';
import { FAST_CLOCK } from '../../support/fleet/relay-host.ts';
import { until } from '../../support/house/until.ts';

it('FL18 a record of a person is written only after the one it follows', async () => {
  await using rig = await FleetRig.start();
  const [a, b] = [await rig.host('a'), await rig.host('b')];
  const heard: [string, string, number][] = [];
  b.onPeople(
    people((id, record, revision) => {
      heard.push([id, Buffer.from(record).toString(), revision]);
    }),
  );
  const first = await a.savePerson('mia', Buffer.from('1'), 0);
  expect(await b.savePerson('mia', Buffer.from('2'), 0)).toBe('moved');
  if (first === 'moved') throw new Error('moved');
  const second = await b.savePerson('mia', Buffer.from('3'), first);
  await until('both heard', () => heard.length === 2);
  expect(heard).toEqual([
    ['mia', '1', first],
    ['mia', '3', second],
  ]);
  const late = await rig.host('c');
  const known: unknown[] = [];
  late.onPeople(people((id, _, revision) => known.push([id, revision])));
  await until('known', () => known.length === 1);
  expect(known).toEqual([['mia', second]]);
});

it('FM14 people that the server lost are noticed, and can be saved again as new', async () => {
  await using rig = await FleetRig.start();
  const a = await rig.host('a', { clock: FAST_CLOCK });
  const heard: string[] = [];
  a.onPeople({
    began: () => heard.push('began'),
    person: (id) => heard.push(id),
    complete: () => heard.push('complete'),
  });
  await until('an empty fleet was read', () => heard.includes('complete'));
  const first = await a.savePerson('mia', Buffer.from('1'), 0);
  await until('it is heard', () => heard.includes('mia'));
  const admin = await rig.server.admin();
  await (await jetstreamManager(admin)).streams.delete('KV_people');
  await provisionFleet(admin);
  heard.length = 0;
  await until('it is read again', () => heard.includes('complete'));
  expect(heard.filter((each) => each !== 'began')).toEqual(['complete']);
  expect(await a.savePerson('mia', Buffer.from('1'), Number(first))).toBe('moved');
  expect(await a.savePerson('mia', Buffer.from('1'), 0)).toBeTypeOf('number');
  await until('it is heard again', () => heard.includes('mia'));
});
