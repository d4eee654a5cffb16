/** Which names are valid, and when two names could be confused. */
import { z } from 'zod';

const MAX_CHARACTERS = 40;

/** Letters, marks, numbers, punctuation, symbols and the plain space: nothing invisible. */
const VISIBLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]+$/u;
/** Characters that count as visible but are drawn empty; U+2800 is an empty braille pattern. */
const UNSEEN = /\p{Default_Ignorable_Code_Point}|\u2800/u;
/** No script stacks more marks on one letter; more would cover other lines. */
const TOWER = /\p{M}{4,}/u;
/** Scripts with look-alike letters; one name uses only one of them. */
const ALIKE = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/** Cyrillic and Greek small letters, and digits, by the Latin letter they look like. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  а: 'a',
  в: 'b',
  е: 'e',
  ё: 'e',
  з: 'e',
  һ: 'h',
  і: 'i',
  ї: 'i',
  ј: 'j',
  к: 'k',
  м: 'm',
  н: 'h',
  о: 'o',
  р: 'p',
  с: 'c',
  ѕ: 's',
  т: 't',
  у: 'y',
  х: 'x',
  ԁ: 'd',
  ԛ: 'q',
  ԝ: 'w',
  α: 'a',
  β: 'b',
  ε: 'e',
  η: 'n',
  ι: 'i',
  κ: 'k',
  μ: 'm',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'y',
  χ: 'x',
  ζ: 'z',
  ѵ: 'v',
  ѡ: 'w',
  ω: 'w',
  '0': 'o',
  '1': 'i',
  l: 'i',
  '|': 'i',
  ı: 'i',
};

/** Names that could be confused with the home's token or the daemon. */
const RESERVED = [
  'admin',
  'administrator',
  'daemon',
  'the daemon',
  'loopwatch',
  'system',
  'root',
  'agent',
  'nobody',
  'somebody',
  'person',
  'a person',
  'viewer',
  'operator',
  'you',
  'unknown',
].map(personKey);

/**
 * The key names are compared by: without case, accents and differences that are easy to miss.
 * Unique per person.
 */
export function personKey(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replaceAll(/\p{M}/gu, '');
  const alike = Array.from(plain, (character) => LOOKS_LIKE[character] ?? character).join('');
  // Dots, dashes and spaces do not distinguish two people.
  return alike.replaceAll(/[\s\p{P}]+/gu, '') || alike.trim();
}

export function isReservedName(name: string): boolean {
  return RESERVED.includes(personKey(name));
}

/** A name as it is stored: NFC, trimmed, single spaces. */
export const PersonName = z
  .string()
  .max(200)
  .transform((text) => text.normalize('NFC').trim().replaceAll(/ {2,}/g, ' '))
  .refine((name) => name !== '' && Array.from(name).length <= MAX_CHARACTERS, {
    message: `use 1 to ${MAX_CHARACTERS} characters`,
    abort: true,
  })
  .refine((name) => VISIBLE.test(name) && !UNSEEN.test(name) && !TOWER.test(name), {
    message: 'use only letters, numbers, punctuation and single spaces',
    abort: true,
  })
  .refine((name) => /[\p{L}\p{N}]/u.test(name), { message: 'use at least one letter or number' })
  .refine((name) => ALIKE.filter((script) => script.test(name)).length <= 1, {
    message: 'use letters of one alphabet only; letters of different ones can look alike',
  });
