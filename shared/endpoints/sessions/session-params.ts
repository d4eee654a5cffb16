/** Shared by all routes of a session. */
import { z } from 'zod';
import { SessionName } from '../../schema/session-name.ts';

export const SessionParams = z.object({ id: SessionName });

export const SESSION_ERRORS = ['session_unknown'] as const;
