import type { EventRecord } from '../../schema/events/events.ts';
import { AGENT_TONE, agentText } from '../sessions/agent-text.ts';
import { byAuthor, type EventText, sentence } from './event-sentence.ts';
import { CLIENT_TEXT, clientOf, folderOf } from '../sessions/found-text.ts';

type FoundEvent = Extract<EventRecord, { type: `found.${string}` }>;

export function describeFoundEvent(event: FoundEvent): EventText {
  if (event.type === 'found.ignore_set') {
    const { directory, ignored } = event.data;
    const what = ignored ? 'Ignores found sessions in' : 'Shows found sessions again in';
    return sentence(`${what} ${directory}${byAuthor(event.data)}`);
  }
  const { project, agent } = event.data;
  const client = clientOf(event.data);
  const who = client === 'claude' ? 'Agent' : CLIENT_TEXT[client];
  const where = `${who} in ${folderOf(project)}`;
  const state = agentText(agent.state, agent.cause);
  switch (event.type) {
    case 'found.appeared':
      return sentence(`${where} found: ${state}`, AGENT_TONE[agent.state]);
    case 'found.changed':
      return sentence(`${where}: ${state}`, AGENT_TONE[agent.state]);
    case 'found.ended':
      if (event.data.how === 'ignored') return sentence(`${where} is ignored from now on`);
      return event.data.how === 'killed'
        ? sentence(`${where} was killed or crashed`, 'fail')
        : sentence(`${where} ended`);
  }
}
