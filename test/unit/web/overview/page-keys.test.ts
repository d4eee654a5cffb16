/** The keys of the page's requests, against a server that leaves outcomes open. */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { API } from '../../../../shared/endpoints/api.ts';
import type { Endpoint } from '../../../../shared/endpoints/endpoint.ts';
import { takesKey } from '../../../../shared/rules/idempotency.ts';
import { OpenKeys } from '../../../../web/lib/client/open-keys.ts';
import { Rest } from '../../../../web/lib/client/rest.ts';

it('IK8 what types, and what no person sends, takes no key', () => {
  const rows = Object.entries<Endpoint>(API);
  const keyless = rows.filter(([name, { method }]) => method !== 'GET' && !takesKey(name, method));
  const without = rows.filter(
    ([name, { input, role }]) =>
      input === true || role === null || role === 'run' || name === 'createTicket',
  );
  const changing = without.filter(([, { method }]) => method !== 'GET');
  expect(keyless.map(([name]) => name).sort()).toEqual(changing.map(([name]) => name).sort());
});

it('IK6 every answer with a secret is marked', () => {
  const secret = Object.entries<Endpoint>(API).filter(([, endpoint]) => endpoint.secret === true);
  expect(secret.map(([name]) => name).sort()).toEqual([
    'changeAlert',
    'createAlert',
    'createLoginCode',
    'createPersonLink',
    'invitePerson',
  ]);
});

it('IK12 the page repeats a request of unknown outcome with its key, and says that it is safe', async () => {
  const heard: [string | undefined, string | undefined][] = [];
  const details = { host: 'b', repeatable: true };
  const open = { error: { code: 'outcome_unknown', message: 'late', retryable: false, details } };
  const answers: [number, object][] = [
    [504, open],
    [503, { error: { ...open.error, code: 'host_unreachable' } }],
    [201, {}],
    [201, {}],
    [201, {}],
  ];
  const server = createServer((request: IncomingMessage, response) => {
    heard.push([request.url, request.headers['idempotency-key'] as string | undefined]);
    const [status, body] = answers.shift() ?? [500, {}];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const rest = new Rest('t', undefined, `${base}/hosts/b`);
    const body = { title: 'Tidy', content: 'Tidy the code.' };
    const asked = rest.call('createPrompt', { body });
    await expect(asked).rejects.toThrow('Try again: the same request is repeated');
    await expect(rest.call('createPrompt', { body })).rejects.toMatchObject({
      code: 'host_unreachable',
    });
    await rest.call('createPrompt', { body });
    await rest.call('createPrompt', { body });
    await rest.call('sendInput', { session: 'web', body: { text: 'x', submit: false } });
  } finally {
    server.close();
    server.closeAllConnections();
  }
  const [first, second, third, next, typed] = heard.map(([, key]) => key);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect([second, third]).toEqual([first, first]);
  expect(next).toMatch(/^[0-9a-f]{32}$/);
  expect(next).not.toBe(first);
  expect(typed).toBeUndefined();
});

it('IK12 the key of an open request is kept for 10 minutes', () => {
  let nowMs = 0;
  const keys = new OpenKeys(() => nowMs);
  const key = keys.keyOf('POST /x {}');
  expect(keys.keyOf('POST /y {}')).not.toBe(key);
  nowMs = 10 * 60_000 - 1;
  expect(keys.keyOf('POST /x {}')).toBe(key);
  nowMs += 1;
  expect(keys.keyOf('POST /x {}')).not.toBe(key);
  const again = keys.keyOf('POST /x {}');
  keys.settle('POST /x {}');
  expect(keys.keyOf('POST /x {}')).not.toBe(again);
});
