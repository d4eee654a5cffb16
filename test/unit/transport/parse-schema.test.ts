import { expect, it } from 'vitest';
import { z } from 'zod';
import { parseSchema } from '../../../server/api/parse-schema.ts';

it.each([
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(3), 'a', 'must be at least 3 characters'],
  [z.string().max(2), 'abc', 'must be at most 2 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'must be at most 1 entries'],
  [z.int().max(5), 6, 'must be at most 5'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.coerce.number(), 'x', 'must be a number'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be a boolean'],
  [z.string(), undefined, 'is missing; must be a string'],
  [z.enum(['a', 'b']), 'c', 'must be one of a, b'],
  [z.string().min(1, 'say something'), '', 'say something'],
])('CL52 an invalid value is refused with what is allowed: %#', (field, value, message) => {
  const parse = () => parseSchema(z.strictObject({ field }), { field: value }, 'invalid_body');
  expect(parse).toThrow(`field: ${message}`);
});
