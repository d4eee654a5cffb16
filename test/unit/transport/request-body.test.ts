import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseBody } from '../../../server/api/request-body.ts';
import type { Endpoint } from '../../../shared/endpoints/endpoint.ts';

const endpoint = (role: Endpoint['role']): Endpoint => ({
  method: 'POST',
  path: '/x',
  summary: '',
  role,
  body: z.unknown(),
  responses: {},
  errors: [],
});
const read = (json: string, role: Endpoint['role'] = 'operator') => parseBody(endpoint(role), json);

it.each([
  ['a text', String.raw`"\ud800"`],
  ['a key', String.raw`{"a":{"\uDC00":1}}`],
  ['a list', String.raw`[[["x\udfffy"]]]`],
  ['a text behind a whole character', String.raw`["\ud83d\ude00","\ud83d \ude00"]`],
  ['30,000 lists', `${'['.repeat(30_000)}${String.raw`"\udbff"`}${']'.repeat(30_000)}`],
])('WI10 half of a character in %s is refused', (_, json) => {
  expect(() => read(json)).toThrow('lone surrogate');
});

it('WI4 a body that is nested more than 100 levels deep is refused, of a hook it is not', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(() => read(nested(102))).toThrow('nested more than 100 levels deep');
  expect(read(nested(100))).toHaveLength(1);
  expect(read(nested(102), 'run')).toHaveLength(1);
});

it('WI10 whole characters, and escapes that only describe halves, are text', () => {
  expect(read(String.raw`"\ud83d\ude00"`)).toBe('😀');
  expect(read(String.raw`"\\ud800 and \ufffd"`)).toBe(String.raw`\ud800 and ${'\ufffd'}`);
});

it('WI10 the payload of a hook is left as the client sent it', () => {
  expect(read(String.raw`"\ud800"`, 'run')).toBe('\ud800');
});
