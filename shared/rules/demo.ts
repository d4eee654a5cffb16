export const DEMO_SESSION = 'demo';
/** The end of its task directory: the page recognizes the demo's session by it. */
export const DEMO_TASK = 'AiTasks/greet-by-name';
