/** `loopwatch fleet` with the built program and a real NATS server. */
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { ApiClient } from '../../support/daemon/api-client.ts';
import { join as invitePerson } from '../../support/daemon/invite-person.ts';
import { FleetServer, freePort } from '../../support/fleet/fleet-server.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

function newWorld(): World {
  const world = new World();
  open.push(world);
  return world;
}

/** A founder and its server, which is not started. */
async function founder(): Promise<{ desk: World; server: FleetServer; url: string; port: number }> {
  const desk = newWorld();
  const port = await freePort();
  const made = await desk.cli('fleet', 'init', '--name', 'desk', '--listen', `127.0.0.1:${port}`);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const server = new FleetServer(join(desk.home, 'fleet/nats.conf'), port);
  open.push(server);
  return { desk, server, url: `tls://127.0.0.1:${port}`, port };
}

async function linkFor(desk: World, name: string): Promise<string> {
  const { stdout } = await desk.cli('fleet', 'invite', name, '--json');
  return (JSON.parse(stdout) as { link: string }).link;
}

/** Name and result of each check, and the fix of the one that failed. */
async function doctor(world: World, url?: string): Promise<unknown> {
  if (url === undefined) delete world.environment['LOOPWATCH_NATS'];
  else world.environment['LOOPWATCH_NATS'] = url;
  const { code, stdout } = await world.cli('fleet', 'doctor', '--json');
  const { checks } = JSON.parse(stdout) as {
    checks: { name: string; ok: boolean; fix: string | null }[];
  };
  const failed = checks.find(({ ok }) => !ok);
  expect(failed === undefined ? null : typeof failed.fix).toBe(
    failed === undefined ? null : 'string',
  );
  return [code, checks.filter(({ ok }) => ok).length, failed?.name ?? null];
}

it('FM1 FM2 init writes a configuration the server takes, for this user only, and once', async () => {
  const { desk, server, url } = await founder();
  await server.start();
  const directory = join(desk.home, 'fleet');
  for (const name of ['host.json', 'fleet.json', 'nats.conf', 'server-key.pem']) {
    expect([name, statSync(join(directory, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  const config = readFileSync(join(directory, 'nats.conf'), 'utf8');
  expect(config).not.toMatch(/\bSU[A-Z2-7]{56}\b/);
  expect(await doctor(desk, url)).toEqual([0, 8, null]);
  const before = readFileSync(join(directory, 'fleet.json'), 'utf8');
  expect(await desk.cli('fleet', 'init', '--name', 'other')).toMatchObject({ code: 1, stdout: '' });
  expect(readFileSync(join(directory, 'fleet.json'), 'utf8')).toBe(before);
});

it('FM1 init says what to run next, and refuses an address that others cannot use', async () => {
  const world = newWorld();
  const all = await world.cli('fleet', 'init', '--listen', '0.0.0.0:4222');
  expect(all).toMatchObject({ code: 2, stdout: '' });
  expect(all.stderr).toContain('--address tls://');
  const words = 'fleet init --name desk --listen 0.0.0.0:4222 --address tls://desk.example:4222';
  const { stdout } = await world.cli(...words.split(' '));
  expect(stdout).toContain(`nats-server -c ${join(world.home, 'fleet/nats.conf')}`);
  expect(stdout).toContain('export LOOPWATCH_NATS=tls://desk.example:4222');
});

it('FM3 a host joins by its link, and a running server knows it', async () => {
  const { desk, server, url } = await founder();
  await server.start();
  expect(await doctor(desk, url)).toEqual([0, 8, null]);
  const invited = await desk.cli('fleet', 'invite', 'build-1');
  expect(invited.stdout).toContain('asked to read its new configuration');
  const link = /loopwatch-fleet:\S+/.exec(invited.stdout)?.[0] ?? '';
  const build = newWorld();
  const joined = await build.cli('fleet', 'join', link);
  expect(joined).toMatchObject({ code: 0, stderr: '' });
  expect(joined.stdout).toContain(`export LOOPWATCH_NATS=${url}`);
  await until('the server knows the new host', async () => {
    const result = await doctor(build, url);
    return JSON.stringify(result) === '[0,8,null]';
  });
  expect(await desk.cli('fleet', 'invite', 'build-1')).toMatchObject({ code: 1, stdout: '' });
});

it('FM3 a host of another fleet stays there unless --replace; garbage is refused', async () => {
  const { desk } = await founder();
  const [one, two] = [await linkFor(desk, 'build-1'), await linkFor(desk, 'build-2')];
  const build = newWorld();
  for (const garbage of ['x', 'loopwatch-fleet:', one.slice(0, -20), `${one}%`]) {
    const refused = await build.cli('fleet', 'join', garbage);
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('not a complete join link');
  }
  expect(await build.cli('fleet', 'join', one)).toMatchObject({ code: 0 });
  expect(await build.cli('fleet', 'join', one)).toMatchObject({ code: 0 });
  expect(await build.cli('fleet', 'join', two)).toMatchObject({ code: 1, stdout: '' });
  const file = join(build.root, 'link');
  writeFileSync(file, `${two}\n`);
  expect(await build.cli('fleet', 'join', `@${file}`, '--replace')).toMatchObject({ code: 0 });
  expect(readFileSync(join(build.home, 'fleet/host.json'), 'utf8')).toContain('"build-2"');
});

it('FM4 only the founder removes hosts; a pid that is not its server gets no signal', async () => {
  const { desk, server, url } = await founder();
  await server.start();
  expect(await doctor(desk, url)).toEqual([0, 8, null]);
  const build = newWorld();
  await build.cli('fleet', 'join', await linkFor(desk, 'build-1'));
  await until('the server knows the new host', async () => {
    return JSON.stringify(await doctor(build, url)) === '[0,8,null]';
  });
  expect(await build.cli('fleet', 'remove', 'desk')).toMatchObject({ code: 4, stdout: '' });
  expect(await desk.cli('fleet', 'remove', 'nowhere')).toMatchObject({ code: 4, stdout: '' });
  expect(await desk.cli('fleet', 'remove', 'desk')).toMatchObject({ code: 1, stdout: '' });
  const pid = join(desk.home, 'fleet/nats.pid');
  const own = readFileSync(pid, 'utf8');
  writeFileSync(pid, String(process.pid));
  const unknown = await desk.cli('fleet', 'invite', 'build-2');
  expect(unknown.stdout).toContain('names another program');
  writeFileSync(pid, own);
  expect(await desk.cli('fleet', 'remove', 'build-1')).toMatchObject({ code: 0 });
  await until('the key is refused', async () => {
    return JSON.stringify(await doctor(build, url)) === '[1,4,"key"]';
  });
});

it('FM9 the doctor names the first thing that is wrong, with a fix, and ends with 1', async () => {
  const { desk, server, url, port } = await founder();
  const build = newWorld();
  expect(await doctor(build)).toEqual([1, 0, 'joined']);
  await build.cli('fleet', 'join', await linkFor(desk, 'build-1'));
  expect(await doctor(build)).toEqual([1, 1, 'setting']);
  expect(await doctor(build, url)).toEqual([1, 2, 'address']);
  await server.start();
  const other = await founder();
  await other.server.start();
  expect(await doctor(build, other.url)).toEqual([1, 3, 'tls']);
  expect(await doctor(build, url)).toEqual([1, 5, 'streams']);
  expect(await doctor(desk, `tls://localhost:${port}`)).toEqual([0, 8, null]);
  expect(await doctor(build, url)).toEqual([0, 8, null]);
  writeFileSync(join(build.home, 'fleet/host.json'), '{}');
  expect(await doctor(build, url)).toEqual([1, 0, 'joined']);
  rmSync(join(build.home, 'fleet'), { recursive: true });
  expect(await doctor(build, url)).toEqual([1, 0, 'joined']);
});

it('FM8 FM10 FM11 FM12 two daemons share their people; a removal ends on both', async () => {
  const { desk, server, url } = await founder();
  await server.start();
  const build = newWorld();
  await build.cli('fleet', 'join', await linkFor(desk, 'build-1'));
  for (const world of [desk, build]) world.environment['LOOPWATCH_NATS'] = url;
  const [first, second] = [await desk.spawn(), await build.spawn()];
  await until('both hosts are listed', async () => {
    const { stdout } = await desk.cli('fleet', 'ls');
    return /^desk +here/m.test(stdout) && /^build-1 +reachable/m.test(stdout);
  });
  const mia = await invitePerson(first.api, 'Mia', 'operator');
  const there = new ApiClient(second.url, mia.api.token);
  await until('Mia is known on the other host', async () => {
    return (await there.get('/api/me')).body['name'] === 'Mia';
  });
  expect(await build.cli('people', 'remove', 'Mia')).toMatchObject({ code: 0 });
  await until('the removal is known on the first host', async () => {
    return (await mia.api.get('/api/me')).status === 401;
  });
  expect((await there.get('/api/me')).status).toBe(401);
  expect((await new ApiClient(second.url, first.api.token).get('/api/me')).status).toBe(401);
});
