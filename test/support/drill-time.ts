/** A run of drills that has a last moment to start one leaves the rest out; they are listed. */
import { beforeEach } from 'vitest';

const until = process.env['LOOPWATCH_TEST_START_UNTIL'];

if (until !== undefined) {
  beforeEach(({ skip }) => {
    skip(Date.now() > Date.parse(until), `not started after ${until}`);
  });
}
