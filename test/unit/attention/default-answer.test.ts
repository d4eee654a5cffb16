/** The default for a question that no person answered in time, and what never gets one. */
import { expect, it } from 'vitest';
import { defaultAnswer, defaultChoices } from '../../../server/policy/reply/default-answer.ts';

it.each([
  ['What is your company called?', /^No one has answered in time\. Use your own judgement/],
  [
    'Which region do your customers use?\n1. Europe\n2. America (recommended)',
    /^No one has answered in time\. Take option 2, “America”\.$/,
  ],
  ['Shall I also add a test for the parser?', /^Yes, go ahead: /],
])('RE30 "%s" gets a default', (question, text) => {
  const answer = defaultAnswer(question);
  expect(answer.kind === 'answer' ? answer.text : answer.why).toMatch(text);
});

it.each([
  'Should I delete the old table?',
  'Which password shall I use for production?',
  'Can I push this to main?',
  '我应该继续吗?',
])('RE31 "%s" waits for a person, however long', (question) => {
  expect(defaultAnswer(question).kind).toBe('person');
});

it('RE30 RE31 of choices the recommended one is taken, else the first, and none that may do harm', () => {
  const question = (labels: string[], multi = false) => ({
    question: 'Which store?',
    header: '',
    options: labels.map((label) => ({ label, description: '' })),
    multi_select: multi,
  });
  const request = (questions: ReturnType<typeof question>[]) => ({
    tool: 'Ask',
    input: {},
    questions,
  });
  expect(defaultChoices(request([question(['Files', 'SQLite (Recommended)'])]))).toMatchObject({
    answers: { 'Which store?': 'SQLite (Recommended)' },
  });
  expect(defaultChoices(request([question(['Files', 'SQLite'], true)]))).toMatchObject({
    answers: { 'Which store?': ['Files'] },
  });
  expect(defaultChoices(request([question(['Delete all files', 'SQLite'])])).kind).toBe('person');
  expect(defaultChoices(request([question([])])).kind).toBe('person');
});
