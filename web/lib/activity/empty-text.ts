import type { SessionActivity } from '$shared/schema/agents/session-activity.ts';

/** Why there is nothing to show, or nothing more; null where there is. */
export const EMPTY_TEXT: Record<SessionActivity['status'], string | null> = {
  shown: null,
  no_agent: 'No agent has run in this session since Loopwatch started.',
  no_conversation:
    'This agent names no conversation, so there is no transcript to read. Claude Code names one once it runs with its status record or with hooks.',
  other_client: 'Only transcripts of Claude Code are read.',
  no_transcript: 'No transcript yet. The agent writes it with its first turn.',
  gone: 'The transcript is no longer there. This is what was read before.',
};

/** The same of a subagent. */
export const SUBAGENT_EMPTY_TEXT = {
  ...EMPTY_TEXT,
  no_transcript:
    'It has no transcript of its own yet. Some clients write its calls among those of the agent.',
};
