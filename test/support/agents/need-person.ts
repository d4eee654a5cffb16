import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentRequest, AttentionItem } from '../../../shared/schema/attention/attention.ts';
import { openHookCapabilities } from '../../../server/agents/hooks/hook-capability.ts';
import type { PermissionDecision } from '../../../server/agents/hooks/permission-decision.ts';
import type { Answer, ApiClient } from '../daemon/api-client.ts';
import { openShell, typeInto } from '../terminals/terminal-view.ts';
import { until } from '../house/until.ts';
import type { World } from '../daemon/world.ts';

/** What the real client sent for a command that needed permission. */
export const BASH_REQUEST: AgentRequest = {
  tool: 'Bash',
  input: { command: 'touch made-by-stub.txt', description: 'Run a stub command' },
  questions: [],
};

/** What the client draws before it has ever worked in a directory. */
const TRUST_DIALOG = [
  '─'.repeat(60),
  ' Accessing workspace:',
  '',
  ' Quick safety check: Is this a project you created or one you trust?',
  ' {words}',
  '',
  ' ❯ No, exit',
  '   Yes, I trust this folder',
  '',
  ' Enter to confirm · Esc to cancel',
];

/**
 * Opens a session in which a client asks for trust; returns the item, which only the terminal
 * answers. `words` are in the dialog.
 */
export async function showTrust(
  world: World,
  api: ApiClient,
  session: string,
  words = '',
): Promise<string> {
  const dialog = join(world.root, 'trust-dialog');
  writeFileSync(dialog, TRUST_DIALOG.join('\n').replace('{words}', words));
  // A name of an agent that is not the one of the loops.
  world.writeProgram('codex', `clear; cat '${dialog}'; read -r answer`);
  await openShell(api, session, world.taskDir(session));
  await typeInto(api, session, 'codex');
  return openItem(api, session);
}

/** What the asking hook got: the body of the answer to it. */
export interface Asked {
  id: string;
  answer: Promise<Answer>;
}

/**
 * Makes an agent ask in a session, as its hook does; opens the session if there is none. Returns
 * the newest item and what the hook gets.
 */
export async function askPerson(
  world: World,
  api: ApiClient,
  session: string,
  { tool, input }: AgentRequest,
): Promise<Asked> {
  const { status } = await api.get(`/api/sessions/${session}`);
  if (status === 404) await api.openSession(session, world.taskDir(session));
  const secret = openHookCapabilities(world.home).issue({ session, runId: 'r1' });
  const payload = { hook_event_name: 'PermissionRequest', tool_name: tool, tool_input: input };
  const headers = { authorization: `Bearer ${secret}` };
  const answer = api.send('POST', '/api/hooks', payload, headers);
  return { id: await openItem(api, session), answer };
}

/** The client's decision, from the answer to its hook. */
export async function decisionOf(answer: Promise<Answer>): Promise<unknown> {
  const { hookSpecificOutput } = (await answer).body as Partial<PermissionDecision>;
  return hookSpecificOutput?.decision;
}

/** The newest open item of a session, once there is one. */
export async function openItem(api: ApiClient, session: string): Promise<string> {
  return until(`${session} needs a person`, async () => {
    const items = (await api.get('/api/attention')).body['items'] as AttentionItem[];
    return items.findLast((item) => item.session === session)?.id;
  });
}

/** What the real client sent for a question. */
export const QUESTION_REQUEST: AgentRequest = {
  tool: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Which colour should the button be?',
        header: 'Colour',
        options: [
          { label: 'Red', description: 'A red button' },
          { label: 'Blue', description: 'A blue button' },
        ],
        multiSelect: false,
      },
    ],
  },
  questions: [
    {
      question: 'Which colour should the button be?',
      header: 'Colour',
      options: [
        { label: 'Red', description: 'A red button' },
        { label: 'Blue', description: 'A blue button' },
      ],
      multi_select: false,
    },
  ],
};
