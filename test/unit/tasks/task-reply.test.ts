/** The reply to an agent whose turn in a headless task is over: by the end of its text only. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TaskReply, taskReply } from '../../../server/policy/reply/task-reply.ts';

const FIRST = { iteration: 1, previous: [] };

function reply(text: string, context: Parameters<typeof taskReply>[1] = FIRST): TaskReply {
  return taskReply(text, context);
}

/** `choice`, `permission`, … */
function kindOf(text: string): string {
  const given = reply(text);
  return given.kind === 'reply' ? given.why : given.reason;
}

function textOf(text: string): string {
  const given = reply(text);
  return given.kind === 'reply' ? given.text : `<${given.reason}>`;
}

/** The expected kind, and the agent's text. */
type Row = [kind: string, text: string];

function rows(title: string, table: Row[]): void {
  it.each(table)(title, (kind, text) => {
    expect(kindOf(text)).toBe(kind);
  });
}

const FENCE = '```';

describe('questions', () => {
  rows('RE2 a question to continue is %s: %j', [
    ['yes_no', 'The parser is in place. Should I add validation to the form?'],
    ['yes_no', 'Would you like me to implement the second part?'],
    ['yes_no', 'Do you want me to refactor `parse()` as well?'],
    ['yes_no', 'Step 1 works, shall I go on with step 2?'],
    ['yes_no', 'Is it okay if I rename the field?'],
    ['yes_no', 'The plan is to split the module. Does that sound good?'],
    [
      'yes_no',
      "Here's the plan:\n\n1. Read the config\n2. Add a test\n3. Fix it\n\nShould I proceed?",
    ],
    ['yes_no', 'Should I proceed with these steps?\n\n1. Read the config\n2. Add a test'],
    ['yes_no', 'I would split the module in two.\n\nPlease confirm.'],
    ['yes_no', 'Should I use `a ? b : c` here?'],
    ['yes_no', '**Should I add tests?**'],
    ['yes_no', 'Should I add tests? Let me know!'],
    ['yes_no', 'The lock file is missing. Install the packages? (y/n)'],
  ]);

  rows('RE9 an open one is %s: %j', [
    ['open', 'How should I handle empty input?'],
    ['open', 'Which test framework should I use?'],
    ['open', 'Should I use tabs or spaces?'],
    ['open', 'Should I stop here?'],
    ['open', 'Where should the new file go?'],
    ['open', 'Should I add tests? Which runner should I take?'],
    ['open', 'I have two questions:\n\n1. Which runner should I take?\n2. Should names be short?'],
    ['open', 'Please let me know which naming scheme fits best.'],
    ['open', 'Do you have a preference for the layout?'],
  ]);
});

describe('choices', () => {
  const options = '1. REST\n2. GraphQL: one endpoint\n3. gRPC';
  it.each([
    ['Take option 1, “REST”.', `Which API style should I use?\n\n${options}`],
    ['Take option 1, “REST”.', `${options}\n\nWhich of these do you prefer?`],
    ['Take option 2, “GraphQL”.', `Which one?\n\n${options}\n\nI recommend option 2.`],
    ['Take option 2, “GraphQL”.', `I'd go with GraphQL. Which one?\n\n${options}`],
    [
      'Take option 2, “b”.',
      'How would you like to proceed?\n1) a (not recommended)\n2) b (recommended)',
    ],
    [
      'Take option B, “Add a cache”.',
      'Which approach?\n\nA) Ask again\n\nB) Add a cache (recommended)',
    ],
    ['Take “Keep `a-b` as it is”.', 'Please choose:\n- Keep `a-b` as it is\n- Rename it'],
    ['Take option 1, “REST”.', '1) REST 2) GraphQL\nWhich one?'],
    ['Take option 2, “GraphQL”.', '1) REST, 2) GraphQL (recommended), 3) gRPC\n\nWhich one?'],
    ['Take option A, “Fast”.', 'Option A: Fast\nOption B: Small\n\nWhich should I take?'],
    [
      'Take “Fast path”.',
      'What should I do?\n\n- **Fast path** – no checks\n  - one detail\n- **Slow path** – all checks',
    ],
    ['Take option 2.', 'Which one? I would pick 2.\n\n1. Write to /var/a\n2. Write to /var/b'],
    ['Take your first option, or the one you recommend.', 'Which one?\n\n- Write to /var/a\n- No'],
  ])('RE3 %s', (expected, text) => {
    expect(textOf(text)).toBe(expected);
  });

  rows('RE3 a list that is not to be chosen from makes %s: %j', [
    ['completion', `Everything is implemented:\n\n${options}`],
    ['continuation', 'My plan:\n\n1. Read the code\n2. Write the test'],
    ['open', 'Which runner should I take? I read the config:\n\n```\n1. a\n2. b\n```'],
  ]);
});

describe('people', () => {
  rows('RE4 it is left to a person for %s: %j', [
    ['permission', 'Should I delete the old table?'],
    ['permission', 'May I force-push the branch?'],
    ['permission', 'Shall I deploy it now?'],
    ['permission', 'Should I publish the package to npm?'],
    ['permission', 'Would you like me to pay for the larger plan?'],
    ['permission', 'Should I send the mail to all users?'],
    ['permission', 'Shall I push the branch?'],
    ['permission', 'Do I have your permission to go on?'],
    ['permission', 'I need permission to write to the file.'],
    ['permission', 'I need you to approve the edit.'],
    ['permission', "The write was denied. I can't continue without permission."],
    ['permission', "I can't proceed until you grant write access."],
    ['permission', 'The work is done. I will now deploy it.'],
    ['permission', 'Next I will push it to the server.'],
    ['question', 'I am waiting for your decision.'],
    ['question', 'I cannot go on until you provide the sample file.'],
    ['permission', 'Should I open a pull request?'],
    ['permission', 'I would run `rm -rf data` first.\n\nShall I proceed?'],
    ['permission', `I would run this:\n\n${FENCE}\ndropdb shop\n${FENCE}\n\nDoes that sound good?`],
    ['permission', 'The plan:\n\n1. Stop the server\n2. Wipe the disk\n\nShould I go ahead?'],
    ['permission', 'I will drop all tables now. Please confirm.'],
    ['permission', 'Which one?\n\n1. Clean up\n   - deletes the tables\n2. Keep them'],
    [
      'permission',
      `Which one?\n\n1. Clean up:\n   ${FENCE}\n   rm -rf data\n   ${FENCE}\n2. Keep them`,
    ],
    ['permission', `Should I run the following command?\n\n${FENCE}\nrm -rf data\n${FENCE}`],
    ['permission', 'Which one?\n\n1. Delete everything\n2. Keep it'],
    ['question', 'What is the API key of the service?'],
    ['question', 'Which customer should I use for the example?'],
    ['question', 'Who owns the module?'],
    ['question', 'Could you run the script on your machine?'],
    ['question', 'Please provide the password of the test account.'],
    ['question', 'Did you change the config by hand?'],
    ['question', 'What is the URL of the staging server?'],
    ['question', 'Sollen wir die Prüfung überspringen?'],
    ['question', 'Should I continue with the módulo «ф»?'],
  ]);

  it('RE10 gives the lines that ask, with the options', () => {
    expect(reply('Done.\n\nWhich one should I delete?\n\n1. The old\n2. The new')).toEqual({
      kind: 'person',
      reason: 'permission',
      question: 'Which one should I delete?\n1. The old\n2. The new',
    });
  });

  it('RE3, RE4 a harmless option is chosen', () => {
    expect(textOf('Which one?\n\n1. Keep the file\n2. Rename it')).toBe(
      'Take option 1, “Keep the file”.',
    );
  });
});

describe('no question', () => {
  rows('RE1 these ask nothing and make %s: %j', [
    ['continuation', 'I read https://example.com/search?q=1 and the code behind it.'],
    ['continuation', 'I need to access the cache from both places.'],
    ['continuation', 'The reader works without a key in the config file and needs no access.'],
    ['completion', 'The code that will deploy it later is in place.'],
    ['continuation', 'The query `SELECT ?` takes one value.'],
    ['continuation', `I added this:\n\n${FENCE}\nif (a ? b : c) {}\nShould I?\n${FENCE}`],
    ['continuation', 'The program prints "Should I continue?" and waits.'],
    ['continuation', '> Should I continue?\n\nI read that line and look at the code next.'],
    ['continuation', 'Why did it hang? The lock was never given back. I look at the caller now.'],
    ['completion', 'Everything is implemented. Let me know if you have any questions!'],
    ['completion', 'The feature is complete. Is there anything else you would like me to do?'],
    ['completion', 'All done! Feel free to ask for changes.'],
  ]);
});

describe('what is named', () => {
  rows('RE5 %s: %j', [
    ['error', 'The tests fail with a timeout.'],
    ['error', 'I cannot find the module.'],
    ['error', "I'm stuck: the build crashes."],
    ['error', '3 tests failed.'],
    ['error', 'The command did not work.'],
    ['error', 'There are still 2 errors in the parser.'],
    ['error', 'TypeError: x is not a function'],
    ['completion', 'I have implemented the parser.'],
    ['completion', 'All tests pass.'],
    ['completion', 'The task is complete, with no errors.'],
    ['completion', 'The error handling is in place.'],
    ['completion', 'I fixed the failing test. Everything is ready.'],
    ['completion', 'The bug is fixed and the issue is closed. All done.'],
    ['continuation', 'No errors so far.'],
    ['continuation', 'I improved the error handling of the reader.'],
    ['continuation', 'I looked at the issue and the problem it names.'],
    ['continuation', 'The old module was abandoned.'],
    ['continuation', 'The reader already knows that format.'],
    ['continuation', 'It is not finished yet.'],
    ['continuation', 'The work is almost done.'],
    ['continuation', 'Once the tests pass, the task is done.'],
    ['continuation', 'The first part is complete. Next I will write the second.'],
    ['continuation', 'The test should fail when the file is gone.'],
    ['continuation', ''],
    ['continuation', FENCE],
  ]);
});

describe('replies', () => {
  it('RE2 names what it agrees to, with the words of the question', () => {
    expect(textOf('Should I add `a?.b` to “Names of a/b”?')).toBe(
      'Yes, go ahead: add `a?.b` to “Names of a/b”.',
    );
    expect(textOf('Would you like me to also write a test for the letter a?')).toBe(
      'Yes, go ahead: write a test for the letter a.',
    );
    expect(textOf('Continue?')).toBe('Yes, go ahead with what you asked (“Continue?”).');
    expect(textOf('Should I write to /srv/data/out.txt?')).toBe('Yes, go ahead.');
  });

  it('RE6 continues in three ways, by how long it takes', () => {
    const at = (iteration: number) => {
      const given = taskReply('I read the code.', { iteration, previous: [] });
      return given.kind === 'reply' ? given.text : '';
    };
    expect(at(4)).toBe(at(0));
    expect(at(9)).toBe(at(5));
    expect(at(99)).toBe(at(10));
    expect(new Set([at(0), at(5), at(10)]).size).toBe(3);
    expect(at(10)).toContain('summary');
  });

  it('RE7 three equal replies in a row are left to a person', () => {
    const said = 'I look at the **code**.';
    const again = (previous: string[]) => reply(said, { iteration: 3, previous }).kind;
    expect(again([said])).toBe('reply');
    expect(again(['Something else.', said])).toBe('reply');
    expect(again([said, 'Something else.', said])).toBe('reply');
    expect(again([said, 'I look at the code!'])).toBe('person');
    expect(reply(said, { iteration: 3, previous: ['x', said, said] })).toEqual({
      kind: 'person',
      reason: 'repeats_itself',
      question: said,
    });
  });

  it('RE8 the same text gets the same reply, any text gets one, and none names a path', () => {
    const piece = fc.constantFrom(
      'Should I ',
      'write to ',
      '/etc/passwd',
      'C:\\x\\y',
      '~/a',
      ' or ',
      '?',
      '\n\n',
      '1. ',
      '- ',
      'Which one',
      '`',
      '"',
      '**',
      FENCE,
      '. ',
      'I recommend ',
      'all done',
      'file:///a/b',
      ': ',
    );
    const words = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 30 });
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join('');
        const given = reply(text);
        expect(reply(text)).toEqual(given);
        if (given.kind === 'reply') {
          // Behind a letter it is a relative path, as in `all done/etc/passwd`.
          expect(given.text).not.toMatch(
            /(?<![\p{L}\p{N}_.~/\\-])(?:\/etc\/passwd|~\/a)|:\\x\\y|file:/u,
          );
          expect(given.text.length).toBeLessThan(500);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('RE8 long texts get a reply, and always the same one', () => {
    const long = [
      'Should I '.repeat(20_000),
      '1. a\n'.repeat(20_000),
      `${'a, '.repeat(50_000)}?`,
      `"${'x'.repeat(100_000)}`,
      'I recommend . '.repeat(10_000),
      '(('.repeat(50_000),
      ' '.repeat(100_000),
    ];
    for (const text of long) {
      expect(reply(text)).toEqual(reply(text));
    }
  });
});
