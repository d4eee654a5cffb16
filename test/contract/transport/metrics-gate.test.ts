/** Who may read the metrics, and what they never contain. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ApiClient } from '../../support/daemon/api-client.ts';
import { join as joinAs } from '../../support/daemon/invite-person.ts';
import { askPerson, BASH_REQUEST } from '../../support/agents/need-person.ts';
import { sendRaw } from '../../support/transport/raw-http.ts';
import { refusal } from '../../support/daemon/refusal.ts';
import { scrape } from '../../support/browser/scrape.ts';
import { openShell } from '../../support/terminals/terminal-view.ts';
import { World } from '../../support/daemon/world.ts';

const PTY = { LOOPWATCH_TERMINAL: 'pty' };

it('ME1 only a viewer or better gets the metrics, by GET alone', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  const { api: viewer } = await joinAs(api, 'Mia', 'viewer');
  const anonymous = new ApiClient(api.url, '');
  const wrong = new ApiClient(api.url, 'x'.repeat(43));
  const head = await fetch(`${api.url}/metrics`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${viewer.token}` },
  });
  expect({
    viewer: (await viewer.get('/metrics')).status,
    anonymous: refusal(await anonymous.get('/metrics')),
    wrong: refusal(await wrong.get('/metrics')),
    inTheUrl: refusal(await anonymous.get(`/metrics?token=${api.token}`)),
    unknownKey: refusal(await viewer.get('/metrics?all=1')),
    head: [head.status, await head.text()],
    post: refusal(await viewer.send('POST', '/metrics')),
    anonymousPost: refusal(await anonymous.send('POST', '/metrics')),
    postByWrong: refusal(await wrong.send('DELETE', '/metrics')),
  }).toEqual({
    viewer: 200,
    anonymous: '401 unauthorized',
    wrong: '401 unauthorized',
    inTheUrl: '401 unauthorized',
    unknownKey: '400 invalid_query',
    head: [200, ''],
    post: '405 method_not_allowed',
    anonymousPost: '401 unauthorized',
    postByWrong: '401 unauthorized',
  });
});

it.each(['/metrics', '/%6detrics', '//metrics', '/./metrics', '/x/../metrics'])(
  'ME1, GA3 no page reaches the metrics at %s',
  async (target) => {
    await using world = new World(PTY);
    const { api } = await world.start();
    const { host } = new URL(api.url);
    const bodies = [];
    for (const foreign of [
      ['Origin', 'http://evil.example'],
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Site', 'none'],
    ] as const) {
      const token = ['Authorization', `Bearer ${api.token}`] as const;
      const headers = [['Host', host] as const, token, foreign, ['Connection', 'close'] as const];
      bodies.push((await sendRaw(api.url, { target, headers })).body);
    }
    expect(bodies.filter((body) => body.includes('loopwatch_'))).toEqual([]);
  },
);

it('ME2 nothing that anyone can name or write is in the metrics', async () => {
  await using world = new World();
  const { api } = await world.start();
  const hostile = '__proto__';
  await openShell(api, hostile, world.taskDir('private "} 1'));
  await api.send('POST', `/api/sessions/${hostile}/input`, { text: 'true #x"} 9', submit: true });
  await joinAs(api, 'Mia "} 9', 'viewer');
  await askPerson(world, api, 'asking_name', BASH_REQUEST);
  for (const path of ['/api/evil"}', '/api/sessions/evil%0Aname', '/evil_page', '/metrics/evil']) {
    await fetch(api.url + path, { headers: { authorization: `Bearer ${api.token}` } });
  }
  await api.send('PROPFIND', '/api/status');
  const { text, families } = await scrape(api);
  const words = [hostile, 'private', 'Mia', 'evil', 'asking', 'stub', 'PROPFIND', api.token];
  expect(words.filter((word) => text.includes(word))).toEqual([]);
  expect(text).not.toContain(join(world.root, ''));
  const routes = families.get('loopwatch_http_requests_total')?.samples ?? new Map();
  expect([...routes.keys()].filter((labels: string) => labels.includes('"other"'))).toEqual([
    'method="other",route="other",status="4xx"',
  ]);
});

it('ME7 requests are counted by route and class of answer', async () => {
  await using world = new World(PTY);
  const { api } = await world.start();
  await api.get('/api/sessions/a/screen');
  await api.get('/api/sessions/b/screen');
  await api.get('/api/attention?limit=0');
  await api.get('/api/nothing');
  await new ApiClient(api.url, '').get('/api/status');
  await fetch(`${api.url}/`);
  await scrape(api);
  const samples = (await scrape(api)).families.get('loopwatch_http_requests_total')?.samples;
  expect(Object.fromEntries(samples ?? [])).toEqual({
    'method="GET",route="/api/sessions/:id/screen",status="4xx"': 2,
    'method="GET",route="/api/attention",status="4xx"': 1,
    'method="other",route="other",status="4xx"': 1,
    'method="GET",route="/api/status",status="4xx"': 1,
    'method="GET",route="page",status="2xx"': 1,
    'method="GET",route="/metrics",status="2xx"': 1,
  });
});
