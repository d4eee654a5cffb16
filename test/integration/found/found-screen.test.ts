/** What a found session shows in a tmux of the user: read, and nothing of that tmux changes. */
import { expect, it } from 'vitest';
import type { FoundScreen } from '../../../shared/schema/agents/found.ts';
import { findProgram } from '../../../server/lib/processes/program-versions.ts';
import { find, FoundWorld } from '../../support/found/found-world.ts';
import { join as invited } from '../../support/daemon/invite-person.ts';
import { UserTmux } from '../../support/terminals/user-tmux.ts';
import { until } from '../../support/house/until.ts';

it('FS41 FS42 its pane is shown to operators, and its tmux stays as it was', async () => {
  await using stage = new FoundWorld();
  await using tmux = new UserTmux(stage.world);
  const size = ['-x', '90', '-y', '12'];
  const program = `printf '\\033[31mred\\033[0m \\033]0;title\\007words'; exec sleep 1000`;
  await tmux.run('new-session', '-d', ...size, program);
  const [pane = '', pid = ''] = (
    await tmux.run('display-message', '-p', '#{pane_id} #{pane_pid}')
  ).split(' ');
  await until('its words', async () => (await tmux.run('capture-pane', '-p')).includes('words'));
  const { api } = await stage.world.start();
  const one = stage.adopt(Number(pid), { status: 'busy' });
  expect(await find(api, one)).toMatchObject({
    place: 'tmux',
    tmux: { socket: tmux.socket, pane },
  });
  const before = await tmux.facts();
  const { status, body } = await api.get(`/api/found/${one.id}/screen`);
  expect(status).toBe(200);
  const screen = body as unknown as FoundScreen;
  expect(screen).toMatchObject({ cols: 90, rows: 12, cursor: [0, 9] });
  expect(screen.lines).toHaveLength(12);
  expect(screen.lines[0]).toContain('red');
  expect(screen.lines[0]).toContain('\u001b[31m');
  expect(screen.lines[0]).not.toContain('title');
  expect(await tmux.facts()).toEqual(before);
  const peek = await stage.world.cli('session', 'peek', String(one.pid));
  expect([peek.code, peek.stdout]).toEqual([0, expect.stringContaining('red words')]);
  expect(peek.stdout).not.toContain('\u001b');
  const { api: viewer } = await invited(api, 'Noor', 'viewer');
  expect((await viewer.get(`/api/found/${one.id}/screen`)).status).toBe(403);
});

it('FS41 no screen is shown where it cannot be proven to be that of the session', async () => {
  await using stage = new FoundWorld();
  await using tmux = new UserTmux(stage.world);
  await tmux.run('new-session', '-d', 'exec sleep 1000');
  const { api } = await stage.world.start();
  const why = async (environment: NodeJS.ProcessEnv) => {
    const one = await stage.client({}, environment);
    await find(api, one);
    const { status, body } = await api.get(`/api/found/${one.id}/screen`);
    expect([status, body.error?.code]).toEqual([409, 'screen_unavailable']);
    return body.error?.message;
  };
  expect(await why({})).toContain('does not run in a tmux');
  const inPane = (socket: string, pane: string) => ({ TMUX: `${socket},1,0`, TMUX_PANE: pane });
  expect(await why(inPane(tmux.socket, '%0'))).toContain('another program');
  expect(await why(inPane(tmux.socket, '%7'))).toContain('gone');
  expect(await why(inPane(tmux.socket, '%0;kill-server'))).toContain('not one of this user');
  expect(await why(inPane('relative', '%0'))).toContain('not one of this user');
  expect(await why(inPane('/dev/null', '%0'))).toContain('not one of this user');
  expect(await tmux.run('list-sessions')).not.toBe('');
});

it('FS41 the screen is shown also where a busy machine takes three seconds to ask tmux', async () => {
  await using stage = new FoundWorld();
  await using tmux = new UserTmux(stage.world);
  await tmux.run('new-session', '-d', 'exec sleep 1000');
  const { api } = await stage.world.start();
  const one = stage.adopt(await tmux.paneOf('sleep'));
  await find(api, one);
  const real = findProgram('tmux', process.env['PATH'] ?? '') ?? '';
  stage.world.writeProgram('tmux', `sleep 3; exec '${real}' "$@"`);
  const { status, body } = await api.get(`/api/found/${one.id}/screen`);
  stage.world.writeProgram('tmux', `exec '${real}' "$@"`);
  expect([status, body.error?.message]).toEqual([200, undefined]);
});
