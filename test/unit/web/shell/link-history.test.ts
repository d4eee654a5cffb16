/** What the page shows about its connection, derived from what it received. */
import { expect, it } from 'vitest';
import {
  initialLink,
  nextLink,
  type LinkFact,
  type LinkUpdate,
} from '../../../../web/lib/client/link-history.ts';

const BROKE: LinkFact = { kind: 'broke', refusedCode: null };
const UNREACHABLE: LinkFact = { kind: 'unreachable' };
const subscribed = (head: number, seen: number): LinkFact => ({ kind: 'subscribed', head, seen });
const advanced = (events: number, seen: number): LinkFact => ({ kind: 'advanced', events, seen });
const polled = (head: number, seen: number): LinkFact => ({ kind: 'polled', head, seen });

/** Facts come a second apart; returns each state with its outlook, and all notices. */
function follow(...facts: LinkFact[]) {
  let story = initialLink(0);
  const states: string[] = [];
  const news: LinkUpdate[] = [];
  for (const [place, fact] of facts.entries()) {
    const next = nextLink(story, fact, (place + 1) * 1000);
    story = next.history;
    const { state, toCome } = story.status;
    states.push(toCome === null ? state : `${state} ${toCome}`);
    if (next.update !== null) news.push(next.update);
  }
  return { states, news, story };
}

it('CN1 a page that was never connected reports no gap', () => {
  const { states, news } = follow(BROKE, UNREACHABLE, subscribed(5, 5), advanced(1, 6));
  expect(states).toEqual(['connecting', 'offline', 'live', 'live']);
  expect(news).toEqual([]);
});

it('CN2 it is live again once it has everything it missed, and says how much that was', () => {
  const { states, news } = follow(
    subscribed(5, 5),
    BROKE,
    subscribed(17, 5),
    advanced(10, 15),
    advanced(2, 17),
    advanced(1, 18),
  );
  expect(states).toEqual(['live', 'resuming', 'resuming 12', 'resuming 2', 'live', 'live']);
  expect(news).toEqual([{ missed: 12, reason: null }]);
});

it('CN2 a second break while it resumes forgets nothing of what was missed', () => {
  const first = [subscribed(5, 5), BROKE, subscribed(9, 5), advanced(1, 6)];
  const { states, news } = follow(...first, BROKE, subscribed(9, 6), advanced(3, 9));
  expect(states.slice(-3)).toEqual(['resuming', 'resuming 3', 'live']);
  expect(news).toEqual([{ missed: 4, reason: null }]);
});

it('CN2 a daemon that returns by polling is reported once, and the change to live is not reported', () => {
  const { states, news } = follow(
    subscribed(5, 5),
    BROKE,
    UNREACHABLE,
    advanced(2, 7),
    polled(9, 7),
    advanced(2, 9),
    polled(9, 9),
    advanced(1, 10),
    polled(10, 10),
    subscribed(11, 10),
    advanced(1, 11),
  );
  expect(states).toEqual([
    'live',
    'resuming',
    'offline',
    'offline',
    'resuming 2',
    'resuming 2',
    'polling',
    'polling',
    'polling',
    'polling',
    'live',
  ]);
  expect(news).toEqual([{ missed: 4, reason: null }]);
});

it('CN4 a state that was read again is reported with its reason instead of a number', () => {
  const restarted: LinkFact = { kind: 'state_read', reason: 'epoch', seen: 3 };
  // Known at the welcome, before there is a subscription.
  const early = follow(subscribed(5, 5), BROKE, restarted, subscribed(4, 3), advanced(1, 4));
  expect(early.states).toEqual(['live', 'resuming', 'resuming', 'resuming 1', 'live']);
  expect(early.news).toEqual([{ missed: null, reason: 'epoch' }]);
  // A cursor from the future does not prove that the page is up to date.
  const future: LinkFact = { kind: 'state_read', reason: 'future', seen: 3 };
  const late = follow(subscribed(5, 5), BROKE, subscribed(3, 5), future);
  expect(late.states).toEqual(['live', 'resuming', 'resuming', 'live']);
  expect(late.news).toEqual([{ missed: null, reason: 'future' }]);
});

it('CN3 it says since when, and when it retries next; a live page retries nothing', () => {
  const waits: LinkFact = { kind: 'waits', until: 9_000 };
  const away = follow(subscribed(5, 5), BROKE, UNREACHABLE, waits, UNREACHABLE).story.status;
  expect(away).toMatchObject({ state: 'offline', since: 3_000, nextTryAt: 9_000 });
  const back = follow(subscribed(5, 5), BROKE, UNREACHABLE, waits, subscribed(5, 5)).story.status;
  expect(back).toMatchObject({ state: 'live', since: 5_000, nextTryAt: null });
});

it('CN3 a refusal stays shown while the page polls instead', () => {
  const refused: LinkFact = { kind: 'broke', refusedCode: 4406 };
  const { status } = follow(subscribed(1, 1), refused, polled(1, 1)).story;
  expect(status).toMatchObject({ state: 'polling', refusedCode: 4406 });
});
