/** Small decisions of the overview: rows of a snapshot, minutes of activity, the next card, choices. */
import { expect, it } from 'vitest';
import { quickChoices } from '../../../../web/lib/attention/quick-choices.ts';
import {
  activityText,
  countIn,
  readSeries,
  WINDOW_MINUTES,
  windowAt,
} from '../../../../web/lib/overview/activity-window.ts';
import { thumbnailRows } from '../../../../web/lib/overview/tiles/thumbnail-rows.ts';
import { formatLeft } from '../../../../web/lib/ui/text/format-time.ts';
import { nextCard } from '../../../../web/lib/views/next-card.ts';
import { BASH_REQUEST, QUESTION_REQUEST } from '../../../support/agents/need-person.ts';

it('OV10 a thumbnail ends with the last row that is not empty, and several empty rows are one', () => {
  const rows = ['one', '', '', '\u001b[31mtwo\u001b[0m', '   ', 'three', '', '\u001b[0m', ''];
  expect(thumbnailRows(rows, 10)).toEqual(['one', '', '\u001b[31mtwo\u001b[0m', '', 'three']);
  expect(thumbnailRows(rows, 2)).toEqual(['three']);
  expect(thumbnailRows(rows, 3)).toEqual(['\u001b[31mtwo\u001b[0m', '', 'three']);
  expect(thumbnailRows([], 3)).toEqual([]);
});

it('OV7 counts of the daemon are added up, updated from events and shifted each minute', () => {
  const counts = Array<number>(WINDOW_MINUTES).fill(0);
  const { last, series } = readSeries({
    from: '2026-01-01T00:00:00.000Z',
    head: 0,
    bucket_seconds: 60,
    series: [
      { session: 'a', type: 'auto.signal', counts: [...counts.slice(1), 2] },
      { session: 'a', type: 'session.agent_changed', counts: [1, ...counts.slice(1)] },
      { session: null, type: 'daemon.started', counts },
    ],
  });
  expect([...series.keys()]).toEqual(['a']);
  const later = countIn(countIn(series.get('a') ?? null, last), last + 2);
  expect(later.last).toBe(last + 2);
  expect(windowAt(later, last + 2).slice(-4)).toEqual([0, 3, 0, 1]);
  expect(windowAt(later, last + 3).slice(-4)).toEqual([3, 0, 1, 0]);
  expect(windowAt(null, last)).toEqual(counts);
  // Older than the window: counted nowhere.
  expect(countIn(later, last - 60)).toEqual(later);
  expect(activityText(windowAt(later, last + 5))).toBe(
    '4 events in the last 30 minutes, latest 3 min ago',
  );
  expect(activityText(counts)).toBe('No events in the last 30 minutes');
});

/** Three columns; the second row has two. */
const BOXES = Array.from({ length: 5 }, (_, place) => {
  const [left, top] = [(place % 3) * 100, Math.floor(place / 3) * 50];
  return { left, right: left + 90, top, bottom: top + 45 };
});

it('OV6 keys move in reading order and through the columns, and stop at the edges', () => {
  expect(nextCard(BOXES, -1, 'next')).toBe(0);
  expect(nextCard(BOXES, -1, 'previous')).toBe(4);
  expect(nextCard(BOXES, 2, 'first')).toBe(0);
  expect(nextCard(BOXES, 2, 'last')).toBe(4);
  expect(nextCard(BOXES, 2, 'next')).toBe(3);
  expect(nextCard(BOXES, 4, 'next')).toBe(4);
  expect(nextCard(BOXES, 1, 'down')).toBe(4);
  expect(nextCard(BOXES, 2, 'down')).toBe(4);
  expect(nextCard(BOXES, 3, 'up')).toBe(0);
  expect(nextCard(BOXES, 4, 'up')).toBe(1);
  expect(nextCard(BOXES, 0, 'up')).toBe(0);
  expect(nextCard(BOXES, 4, 'down')).toBe(4);
});

it('OV9 one press answers one question with one label, and nothing more complex', () => {
  expect(quickChoices(BASH_REQUEST).map(({ label }) => label)).toEqual(['Allow', 'Deny']);
  expect(quickChoices(QUESTION_REQUEST)[1]?.body).toEqual({
    decision: 'allow',
    answers: { 'Which colour should the button be?': 'Blue' },
  });
  const [asked] = QUESTION_REQUEST.questions;
  if (asked === undefined) throw new Error('no question');
  const many = { ...asked, multi_select: true };
  expect(quickChoices({ ...QUESTION_REQUEST, questions: [many] })).toEqual([]);
  expect(quickChoices({ ...QUESTION_REQUEST, questions: [asked, asked] })).toEqual([]);
  expect(quickChoices(null)).toEqual([]);
});

it('OV3 the remaining time is shown in its two largest units', () => {
  const texts = [0, 40_000, 60_000, 72 * 60_000, 26 * 3_600_000].map(formatLeft);
  expect(texts).toEqual(['0 s', '40 s', '1 min', '1 h 12 min', '1 d 2 h']);
});
