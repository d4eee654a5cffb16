// Print what needs a person, or answer a permission first:
//
//   node examples/client-inbox.mjs
//   node examples/client-inbox.mjs ID allow
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createClient, RequestFailure } from 'loopwatch/client';

const home = process.env.LOOPWATCH_HOME || join(homedir(), '.loopwatch');
const { url } = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
const token = readFileSync(join(home, 'token'), 'utf8').trim();
const client = createClient({ url, token });

const [id, decision] = process.argv.slice(2);
try {
  if (id !== undefined) {
    await client.call('answerAttention', { params: { id }, body: { decision } });
  }
  const { items } = await client.call('listAttention', { query: {} });
  for (const { id, reason, session } of items) {
    console.log(JSON.stringify({ id, reason, session }));
  }
} catch (error) {
  if (!(error instanceof RequestFailure)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
