/** Once the time for starting drills is over, the remaining ones are skipped and listed. */
import { beforeEach } from 'vitest';

const until = process.env['LOOPWATCH_TEST_START_UNTIL'];

if (until !== undefined) {
  beforeEach(({ skip }) => {
    skip(Date.now() > Date.parse(until), `not started after ${until}`);
  });
}
