/** People at real terminals, over real WebSockets. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import headless from '@xterm/headless';
import { expect, it } from 'vitest';
import type { ServerFrame } from '../../../shared/schema/events/protocol.ts';
import type { TransportName } from '../../../shared/schema/transport-name.ts';
import type { ApiClient } from '../../support/daemon/api-client.ts';
import { openShell, rowsOf, runInShell, typeInto } from '../../support/terminals/terminal-view.ts';
import { until } from '../../support/house/until.ts';
import { World } from '../../support/daemon/world.ts';
import { WsClient } from '../../support/transport/ws-client.ts';

const ESC = '\u001b';
/** Hosts differ in their output, not in the engine that carries it: the second engine has to carry one. */
const HOSTS = { ws: ['tmux', 'pty'], uws: ['tmux'] } as const;

type Attached = Extract<ServerFrame, { type: 'attached' }>;

export function testAttach(engine: TransportName): void {
  it.each(HOSTS[engine])(
    'LT5, LT6 over %s the viewer with control types exactly its bytes, another none',
    async (host) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: host });
      const { api } = await world.start();
      const cwd = world.taskDir('one');
      await openShell(api, 'web', cwd);
      const { client } = await attach(api);
      const viewer = await attach(api, { control: false });
      const asking = await attach(api);
      expect([viewer.attached.control, asking.attached.control]).toEqual([false, false]);
      const bytes = Buffer.from([...Array(256).keys()].filter((byte) => byte !== 0));
      await typeInto(api, 'web', 'stty raw -echo; touch ready; head -c 1020 > heard; stty sane');
      await until('the listener', () => existsSync(join(cwd, 'ready')));
      for (let round = 0; round < 4; round += 1) {
        viewer.client.socket.send(Buffer.from('not this'));
        asking.client.socket.send(Buffer.from('nor this'));
        for (let at = 0; at < bytes.length; at += 5) client.socket.send(bytes.subarray(at, at + 5));
      }
      const heard = await until('the bytes', () => {
        const read = readIfThere(join(cwd, 'heard'));
        return read.length === 1020 ? read : null;
      });
      expect(heard.equals(Buffer.concat([bytes, bytes, bytes, bytes]))).toBe(true);
      expect(await viewer.client.next('error')).toMatchObject({ code: 'not_controller' });
      for (const { socket } of [client, viewer.client, asking.client]) socket.terminate();
    },
  );

  it.each(HOSTS[engine])(
    'LT3 over %s no printed query is answered into the terminal',
    async (host) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: host });
      const { api } = await world.start();
      const cwd = world.taskDir('one');
      const queries = [`${ESC}[6n`, `${ESC}[c`, `${ESC}]11;?\u0007`, `${ESC}[>c`, `${ESC}[?6n`];
      writeFileSync(join(cwd, 'content'), `${queries.join('')}shown\r\n`);
      await openShell(api, 'web', cwd);
      // Answers of the terminal itself are read before the listener begins.
      const drain =
        'stty -echo raw; cat content; timeout 0.5 dd count=1 2>/dev/null >/dev/null; stty sane -echo';
      await runInShell(api, 'web', `${drain}; touch drained; cat > heard`, join(cwd, 'drained'));
      for (let count = 0; count < 50; count += 1) {
        const { client, emulator } = await attach(api);
        await until('the row', () => rowsShown(emulator).includes('shown'));
        client.socket.terminate();
        await client.closed;
      }
      const live = await attach(api);
      writeFileSync(join(cwd, 'go'), '');
      live.client.socket.send(Buffer.from('mark\r'));
      const heard = await until('the mark', () => {
        const text = readIfThere(join(cwd, 'heard')).toString('utf8');
        return text.includes('mark') ? text : null;
      });
      expect(heard).toBe('mark\n');
      live.client.socket.terminate();
    },
  );

  it.each(HOSTS[engine])(
    'LT3 over %s a query printed while a viewer is attached reaches no emulator',
    async (host) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: host });
      const { api } = await world.start();
      const cwd = world.taskDir('one');
      writeFileSync(
        join(cwd, 'content'),
        `${ESC}[6n${ESC}[c${ESC}]52;c;c2VjcmV0\u0007${ESC}]0;title\u0007`,
      );
      await openShell(api, 'web', cwd);
      const { client, heard } = await attach(api);
      client.socket.send(Buffer.from('cat content; echo the-$((1+1))nd\r'));
      await until('the end', () => heard().includes('the-2nd'));
      // eslint-disable-next-line no-control-regex -- queries, titles and clipboards
      expect(heard()).not.toMatch(/\x1b\[6n|\x1b\[c|\x1b\]|c2VjcmV0|title/);
      client.socket.terminate();
    },
  );

  it.each(HOSTS[engine])(
    'LT4 LT11 over %s the emulator of a viewer shows what the terminal shows',
    async (host) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: host });
      const { api } = await world.start();
      const cwd = world.taskDir('one');
      await openShell(api, 'web', cwd);
      const first = await attach(api, { cols: 90, rows: 25 });
      expect(first.attached).toMatchObject({ control: true, cols: 90, rows: 25 });
      const line = `for n in $(seq 60); do printf '\\033[3%dm%d %s\\033[0m\\n' $((n%8)) $n 'wörd 漢'; done; echo en''d`;
      first.client.socket.send(Buffer.from(`${line}\r`));
      await until('the end', () => rowsShown(first.emulator).includes('end'));
      const late = await attach(api, { control: false });
      expect(late.attached).toMatchObject({ control: false, cols: 90, rows: 25 });
      await until('the same rows', async () => {
        const rows = (await rowsOf(api, 'web')).join('\n').trimEnd();
        return [first, late].every(
          ({ emulator }) => rowsShown(emulator).join('\n').trimEnd() === rows,
        );
      });
      for (const { client } of [first, late]) client.socket.terminate();
    },
  );

  it.each(HOSTS[engine])(
    'LT6 over %s keys for a terminal that was ended reach no other',
    async (host) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: host });
      const { api } = await world.start();
      const cwd = world.taskDir('one');
      await openShell(api, 'web', cwd);
      const { client } = await attach(api);
      await api.send('DELETE', '/api/sessions/web');
      await until(
        'the session is gone',
        async () => (await api.get('/api/sessions/web')).status === 404,
      );
      await openShell(api, 'web', cwd);
      client.socket.send(Buffer.from('touch typed\r'));
      expect((await client.next('detached')).reason).toMatch(/terminal_(gone|replaced)/);
      expect(await client.next('error')).toMatchObject({ code: 'not_attached' });
      await runInShell(api, 'web', 'touch after', join(cwd, 'after'));
      expect(existsSync(join(cwd, 'typed'))).toBe(false);
      client.socket.terminate();
    },
  );

  it.each(HOSTS[engine])(
    'LT10 over %s a flood leaves the daemon small and other viewers live',
    async (host) => {
      await using world = new World({ LOOPWATCH_TRANSPORT: engine, LOOPWATCH_TERMINAL: host });
      const { process: daemon, api } = await world.spawn();
      await openShell(api, 'web', world.taskDir('one'));
      const [stalled, live] = [await attach(api), await attach(api)];
      stalled.client.socket.pause();
      const before = residentMegabytes(daemon.pid ?? 0);
      await typeInto(
        api,
        'web',
        'yes "$(seq -s " " 30)" | head -c 30000000; echo flood-$((1+1))ver',
      );
      let most = 0;
      await until('the end of the flood', () => {
        most = Math.max(most, residentMegabytes(daemon.pid ?? 0));
        return rowsShown(live.emulator).some((row) => row.includes('flood-2ver'));
      });
      expect(most - before).toBeLessThan(80);
      stalled.client.socket.resume();
      await until('the stalled one is up to date', () =>
        rowsShown(stalled.emulator).some((row) => row.includes('flood-2ver')),
      );
      for (const { client } of [stalled, live]) client.socket.terminate();
    },
  );
}

/** A person attached, with the emulator a page would have, answers included. */
async function attach(api: ApiClient, request: object = {}) {
  const client = await WsClient.connect(api);
  const emulator = new headless.Terminal({ cols: 120, rows: 40, allowProposedApi: true });
  let heard = '';
  client.onBytes = (bytes) => {
    heard += bytes.toString('latin1');
    emulator.write(bytes);
  };
  emulator.onData((data) => client.socket.send(Buffer.from(data)));
  client.send({ type: 'attach', session: 'web', cols: 120, rows: 40, ...request });
  const attached: Attached = await client.next('attached');
  emulator.resize(attached.cols, attached.rows);
  await until('the snapshot', () => heard !== '');
  return { client, emulator, attached, heard: () => heard };
}

/** The shell may not have created the file yet. */
function readIfThere(path: string): Buffer {
  return existsSync(path) ? readFileSync(path) : Buffer.alloc(0);
}

function rowsShown(emulator: InstanceType<typeof headless.Terminal>): string[] {
  const { active } = emulator.buffer;
  return Array.from({ length: emulator.rows }, (_, row) =>
    (active.getLine(active.baseY + row)?.translateToString(true) ?? '').trimEnd(),
  );
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? NaN) / 1024;
}
