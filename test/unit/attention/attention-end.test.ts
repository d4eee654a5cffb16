/** How items end with their session and daemon, and how long cleared ones are kept. */
import { expect, it } from 'vitest';
import { TRUST, WORKING } from '../../support/agents/agent-states.ts';
import { ALLOW, askIn, refusalOf, turn } from '../../support/browser/ask-in.ts';
import { AttentionHome } from '../../support/agents/attention-home.ts';
import { BASH_REQUEST } from '../../support/agents/need-person.ts';

it('AT7 the end of a session or of the daemon ends its items', async () => {
  using home = new AttentionHome();
  const closed = askIn(home, 'web');
  const kept = askIn(home, 'db');
  home.attention.observe('web', TRUST);
  home.attention.close({ kind: 'session', id: 'web' });
  expect(home.open().map(({ session }) => session)).toEqual(['db']);
  home.attention.dispose();
  kept.asked.leave.abort();
  await turn();
  expect([closed.asked.result, kept.asked.result]).toEqual([null, null]);
  expect(home.all().map(({ outcome }) => outcome)).toEqual(['gone', 'gone', 'gone']);
  expect(await home.attention.ask('db', BASH_REQUEST, new AbortController().signal)).toBe(null);
  home.attention.observe('db', TRUST);
  expect(home.open()).toEqual([]);
  expect(home.clock.pending).toBe(0);
});

it('AT7 after kill -9 open items are cleared, and raised again where a person is still needed', () => {
  using home = new AttentionHome();
  const { id } = askIn(home);
  home.attention.observe('db', TRUST);
  home.restart();
  expect(home.all().map(({ outcome }) => outcome)).toEqual(['gone', 'gone']);
  expect(refusalOf(() => home.attention.answer(id, ALLOW, 'admin'))).toBe('attention_cleared');
  home.attention.observe('db', TRUST);
  askIn(home);
  expect(home.open().map(({ session }) => session)).toEqual(['db', 'web']);
});

it('AT8 cleared items are kept for 7 days and 1,000 of them, open ones for good', () => {
  using home = new AttentionHome();
  home.attention.observe('open', TRUST);
  const flicker = (count: number) => {
    for (let n = 0; n < count; n += 1) {
      home.attention.observe('web', TRUST);
      home.attention.observe('web', WORKING);
    }
  };
  const kept = () => home.database.raw.prepare('SELECT count(*) FROM attention').pluck().get();
  flicker(2);
  // As many more of the first one: what a thousand flickers leave.
  home.database.raw.exec(`
    WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 998)
    INSERT INTO attention (id, subject_id, reason, title, raised_at, cleared_at, outcome)
    SELECT printf('%020d', n), subject_id, reason, title, raised_at, cleared_at, outcome
    FROM number, (SELECT * FROM attention WHERE cleared_at IS NOT NULL LIMIT 1)`);
  expect(kept()).toBe(1_001);
  flicker(3);
  expect(kept()).toBe(1_001);
  home.clock.advance(7 * 86_400_000);
  flicker(1);
  expect(kept()).toBe(1_001);
  home.clock.advance(1);
  flicker(1);
  expect(kept()).toBe(3);
  expect(home.open()).toMatchObject([{ session: 'open' }]);
});
