import { z } from 'zod';

/** The agent programs that can be supervised in a terminal. `stand-in` plays a script: demo and tests. */
export const AGENT_KINDS = ['claude', 'stand-in'] as const;
export const AgentKind = z.enum(AGENT_KINDS);
export type AgentKind = z.infer<typeof AgentKind>;
