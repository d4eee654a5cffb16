/** Valid names of people. */
import { expect, it } from 'vitest';
import {
  isReservedName,
  personKey,
  PersonName,
} from '../../../shared/schema/people/person-name.ts';

it.each([
  ['Mia', 'Mia'],
  ['  Mia   Berg ', 'Mia Berg'],
  ['Zoe\u0308', 'Zoë'],
  ["Mary-Jane O'Neil", "Mary-Jane O'Neil"],
  ['Анна', 'Анна'],
  ['王小明', '王小明'],
  ['build box 7', 'build box 7'],
  ['x'.repeat(40), 'x'.repeat(40)],
])('PE3 %j is stored as %j', (given, stored) => {
  expect(PersonName.parse(given)).toBe(stored);
});

it.each([
  ['nothing', '   '],
  ['41 characters', 'x'.repeat(41)],
  ['a line break', 'Mia\nBerg'],
  ['an escape sequence', 'Mia\u001b[2J'],
  ['a zero width space', 'Mia\u200b'],
  ['a zero width joiner', 'Mi\u200da'],
  ['text that runs the other way', '\u202eaiM'],
  ['a filler that is drawn as nothing', 'Mia\u115f'],
  ['an empty pattern', 'Mia\u2800'],
  ['a variation selector', 'Mia\ufe0f'],
  ['a tower of marks', 'M\u0301\u0302\u0303\u0304\u0305ia'],
  ['no letter', '...'],
  ['Latin and Cyrillic letters', 'M\u0456a'],
  ['Latin and Greek letters', 'Mi\u03b1'],
  ['a lone surrogate', 'Mia\ud800'],
])('PE3 a name with %s is refused', (_, name) => {
  expect(PersonName.safeParse(name).success).toBe(false);
});

it.each([
  ['another case', 'mia', 'MIA'],
  ['an accent', 'Zoe', 'Zoé'],
  ['Cyrillic letters', 'oca', '\u043e\u0441\u0430'],
  ['a one for an l', 'Lily', 'Li1y'],
  ['an i for an l', 'Ali', 'All'],
  ['a zero for an o', 'Bob', 'B0b'],
  ['wide letters', 'Mia', '\uff2d\uff49\uff41'],
  ['other spaces and dots', 'Mia Berg', 'mia.berg'],
])('PE19 names that differ by %s are the same', (_, one, other) => {
  expect(personKey(one)).toBe(personKey(other));
});

it('PE19 different names stay different, and those of the daemon are reserved', () => {
  const names = ['Mia', 'Max', 'Anna', 'Hanna', 'Анна', 'Noor', 'Nora', '王小明', '王小红'];
  expect(new Set(names.map(personKey)).size).toBe(names.length);
  expect(['Admin', 'ADM1N', 'the Daemon', 'аdmin', 'Mia'].map(isReservedName)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});
