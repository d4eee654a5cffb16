// Receive the deliveries of a webhook alert: verify the signature, drop duplicates, print the rest
// as lines of JSON. The secret is the one printed by `loopwatch alert add … --webhook`.
//
//   WEBHOOK_SECRET=whsec_… PORT=8787 node examples/receive-webhook.mjs
import { createServer } from 'node:http';
import { Webhook } from 'standardwebhooks';

const MAX_BYTES = 1024 * 1024;
const MAX_SEEN = 10_000;

const webhook = new Webhook(process.env.WEBHOOK_SECRET ?? '');
/** Delivery is at least once: a repeated id is the same event. */
const seen = new Set();

const server = createServer(async (request, response) => {
  try {
    const body = await readBody(request);
    // Throws on a wrong signature or a timestamp that is more than five minutes off.
    const message = webhook.verify(body, request.headers);
    if (isNew(request.headers['webhook-id'])) console.log(JSON.stringify(message));
    response.writeHead(204).end();
  } catch (error) {
    console.error(`refused: ${error.message}`);
    response.writeHead(400).end();
  }
});
server.listen(Number(process.env.PORT ?? 8787), '127.0.0.1', () => {
  console.error(`listening on http://127.0.0.1:${server.address().port}/`);
});

/** The signature covers the exact bytes, so read them before parsing. */
async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error('the body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function isNew(id) {
  if (seen.has(id)) return false;
  seen.add(id);
  // The first entry is the oldest.
  if (seen.size > MAX_SEEN) seen.delete(seen.values().next().value);
  return true;
}
