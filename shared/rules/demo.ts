/** The session that the demo runs in. */
export const DEMO_SESSION = 'demo';
/** The end of its task directory: the page knows the demo's session by it. */
export const DEMO_TASK = 'AiTasks/greet-by-name';
