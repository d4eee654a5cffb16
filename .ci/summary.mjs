/**
 * Sums up the JSON reports in a directory: NAME.first.json of each run of tests and NAME.second.json of its
 * second try. What failed comes last, since a log is often kept from its end.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [directory] = process.argv.slice(2);

/** Gives every test of the reports of one try. */
function testsOf(attempt) {
  const names = readdirSync(directory).filter((name) => name.endsWith(`.${attempt}.json`));
  const reports = names.map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')));
  return reports
    .flatMap(({ testResults }) => testResults)
    .flatMap(({ name, status, message, assertionResults }) => {
      const file = relative(process.cwd(), name);
      const tests = assertionResults.map(({ fullName, status, failureMessages }) => ({
        name: `${file}: ${fullName}`,
        status,
        error: failureMessages?.join('\n') ?? '',
      }));
      // A file that failed as a whole: it could not be read, or left something behind.
      const isWhole = status === 'failed' && !tests.some((test) => test.status === 'failed');
      return isWhole ? [...tests, { name: file, status, error: message }] : tests;
    });
}

const first = testsOf('first');
const second = testsOf('second');
for (const test of first.filter(({ status }) => status === 'failed')) {
  const again = second.filter(({ name }) => name === test.name);
  const wasAccident = second.length > 0 && again.every(({ status }) => status === 'passed');
  if (wasAccident) test.status = 'passed';
  console.log(`${wasAccident ? 'PASSED ONLY IN ITS SECOND TRY' : 'FAILED'} ${test.name}`);
  console.log(test.error.slice(0, 2_000));
}
const count = (...statuses) => first.filter(({ status }) => statuses.includes(status)).length;
console.log(
  `${count('passed')} passed, ${count('failed')} failed, ${count('skipped', 'pending', 'todo')} skipped`,
);
