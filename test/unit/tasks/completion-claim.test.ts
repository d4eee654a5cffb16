/** An agent's claim that its task is done: what counts as one, and what only sounds like it. */
import { expect, it } from 'vitest';
import { completionClaim } from '../../../server/tasks/criteria/completion-claim.ts';

const FENCE = '```';

it.each([
  ['The implementation is complete.', null],
  ['The task is complete.', null],
  ['I have finished implementing the parser.', null],
  ['Implementation done!', null],
  ['I completed the task as described.', null],
  ['All done.', null],
  ['## Implementation Summary', null],
  ['I successfully implemented the cache.', null],
  ['**The task is complete.**', null],
  ['THE TASK IS COMPLETED', null],
  ['- The task is complete, no errors.', null],
  ['Work:\n\n- a\n- b\n\nThe task is complete.', 'The task is complete.'],
  ['All done. Thanks!\n\nLet me know if you have any questions.', 'All done. Thanks!'],
  ['First it was not done.\n\nThe task is complete.', 'The task is complete.'],
])('CR1 %j claims it', (text, line) => {
  expect(completionClaim(text)).toBe(line ?? text);
});

it.each([
  'The task is not complete.',
  "The task isn't done; implementation is complete only in part.",
  'Once the tests pass, the task is complete.',
  'When I am finished implementing it, I tell you.',
  'If all done, run the tests.',
  'Is the task complete? Is all done?',
  'The first task is complete.',
  'The subtask is complete.',
  'The sub-task is complete.',
  'I completed the task of reading; the rest remains.',
  'I successfully implemented the first part.',
  'The task is completely broken.',
  'The task is complete. However, two cases are open.',
  'The task is complete.\nNext I will write the tests.',
  'The task is complete, but the tests still fail.',
  'All done. 2 tests failed.',
  'I would print "The task is complete." at the end.',
  'The program prints `all done`.',
  '> The task is complete.',
  `${FENCE}\nThe task is complete.\n${FENCE}`,
  'It is almost all done.',
  'The task will be complete tomorrow, not all done today.',
  'The task is complete.\n1\n2\n3\n4\n5',
  'Nothing of it: the code is abandoned.',
  '',
])('CR1 %j claims nothing', (text) => {
  expect(completionClaim(text)).toBeNull();
});
