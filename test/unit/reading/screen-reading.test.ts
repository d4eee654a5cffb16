/** How each recorded screen is read: the table of expectations, whole and cut to 40 columns. */
import { describe, expect, it } from 'vitest';
import { agentGroup } from '../../../shared/schema/agents/agent-state.ts';
import { asksNothing } from '../../../shared/rules/events/client-view.ts';
import { readScreen } from '../../../server/agents/screen/read-screen.ts';
import { faintLines } from '../../../server/terminals/screen-lines.ts';
import { cutTo, recordedScreen, SCREEN_NAMES } from '../../support/terminals/recorded-screens.ts';

const EXPECTED: Record<string, string> = {
  'classic-02-working': 'working none',
  'classic-05-long': 'ready none',
  'classic-06-ask': 'waiting question',
  'classic-07-529': 'errored overloaded',
  'classic-08-exit': 'exited none',
  'drafts-197-caret-at-start': 'ready draft',
  'drafts-197-command': 'ready draft',
  'drafts-197-suggestion': 'working none',
  'drafts-197-two-lines': 'ready draft',
  'drafts-330-caret-at-start': 'ready draft',
  'drafts-330-command': 'ready draft',
  'drafts-330-suggestion': 'errored overloaded',
  'drafts-330-two-lines': 'ready draft',
  'errors-02-429-recovered': 'ready none',
  'errors-03-529-given-up': 'errored overloaded',
  'errors-04-429-given-up-immediately': 'errored rate_limit',
  'errors-05-401-retrying': 'retrying authentication',
  'errors-07-401-retrying-with-queue': 'retrying authentication',
  'errors-09-credit-too-low': 'errored billing',
  'errors-10-400': 'errored invalid_request',
  'errors-12-403': 'errored authentication',
  'errors-13-404-model': 'errored model_not_found',
  'errors-14-prompt-too-long': 'errored prompt_too_long',
  'errors-18-usage-limit-weekly': 'waiting dialog',
  'errors-18b-weekly-esc': 'limited weekly',
  'errors-19-usage-limit-1min': 'limited five_hour',
  'errors-21-529-subscription-retrying': 'retrying overloaded',
  'errors-23-401-oauth': 'errored authentication',
  'exit-01-ctrl-c-once': 'ready none',
  'exit-04-sigkill': 'exited none',
  'exit-05-sigterm': 'exited none',
  'first-run-00-no-network-exit': 'exited none',
  'first-run-01-theme': 'waiting first_run',
  'first-run-02-custom-api-key': 'waiting first_run',
  'first-run-03-security-notes': 'waiting first_run',
  'first-run-04-trust-dialog': 'waiting trust',
  'first-run-08-bypass-as-root': 'exited none',
  'first-run-09-bypass-dialog': 'waiting bypass_warning',
  'first-run-11-mcp-approval': 'waiting mcp_approval',
  'hooks-01-settings-flag-unknown-event': 'waiting settings_warning',
  'hooks-02-dead-http-and-missing-command': 'ready none',
  'hooks-04-slow-stop-hook': 'working none',
  'hooks-06-permission-hook-pending': 'waiting permission',
  'hooks-07-permission-hook-allowed': 'ready none',
  'idle-02-after-turn': 'ready none',
  'idle-06-plan-mode-idle': 'ready none',
  'idle-07-after-clear': 'ready none',
  'idle-10-after-subagent': 'ready none',
  'idle-11-context-low': 'ready none',
  'idle-12-after-auto-compact': 'ready none',
  'idle-13-usage-warning-subscription': 'ready none',
  'idle-14-done-over-1min': 'ready none',
  'idle-15-spoof-fullscreen': 'ready none',
  'idle-16-spoof-classic': 'ready none',
  'input-02-positional-prompt': 'ready none',
  'input-03-sendkeys-multiline': 'ready draft',
  'input-05-bracketed-paste': 'ready draft',
  'input-06-big-paste-placeholder': 'ready draft',
  'input-07-at-file-popup': 'ready draft',
  'input-08-bang-mode': 'ready draft',
  'input-09-text-into-permission-dialog': 'waiting permission',
  'input-10-queued': 'working none',
  'input-12-double-esc-rewind': 'waiting rewind',
  'interrupt-01-esc-during-bash': 'interrupted none',
  'interrupt-03-ctrl-c-during-stream': 'interrupted none',
  'interrupt-04-esc-before-any-output-restores-prompt': 'ready draft',
  'narrow-01-working-60x20': 'working none',
  'narrow-02-done-60x20': 'ready none',
  'narrow-05-working-40x15': 'working none',
  'old-u197-10-usage-limit': 'waiting dialog',
  'old-u20-10-usage-limit': 'limited usage',
  'old-u20-11-usage-limit-esc': 'limited usage',
  'old-v10-02-idle': 'ready none',
  'old-v10-03-working': 'working none',
  'old-v10-04-done': 'ready none',
  'old-v10-07-ask': 'waiting permission',
  'old-v10-08-429': 'ready none',
  'old-v10-09-529': 'retrying overloaded',
  'old-v197-01-start': 'waiting settings_warning',
  'old-v197-02-idle': 'ready none',
  'old-v197-04-done': 'ready none',
  'old-v197-08-429': 'retrying other_error',
  'old-v197-09-529': 'errored overloaded',
  'old-v20-01-start': 'unknown not_understood',
  'old-v20-03-working': 'working none',
  'old-v20-06-after-reject': 'interrupted none',
  'old-v20-07-ask': 'waiting question',
  'old-v20-09-529': 'retrying overloaded',
  'other-codex-02-idle': 'ready none',
  'other-codex-04-done': 'ready none',
  'other-codex-05-approval': 'waiting permission',
  'other-codex-06-after-esc': 'interrupted none',
  'other-codex-07-usage-limit': 'limited usage',
  'other-codex-08-429': 'retrying rate_limit',
  'other-gemini-03-working-or-error': 'working none',
  'overlays-197-agents-view': 'waiting agents_view',
  'overlays-197-at-file': 'ready draft',
  'overlays-197-ctrl-c-once': 'ready none',
  'overlays-197-help': 'ready none',
  'overlays-197-history-search': 'waiting history_search',
  'overlays-197-rewind': 'waiting rewind',
  'overlays-197-shell-mode': 'ready draft',
  'overlays-197-slash-menu': 'ready draft',
  'overlays-197-stash': 'ready none',
  'overlays-197-transcript': 'waiting transcript_view',
  'overlays-290-agents-view-no-keys': 'waiting agents_view',
  'overlays-290-agents-view': 'waiting agents_view',
  'overlays-290-history-search': 'waiting history_search',
  'overlays-329-history-dialog-at-work': 'waiting history_search',
  'overlays-330-agents-view-draft': 'waiting agents_view',
  'overlays-330-agents-view': 'waiting agents_view',
  'overlays-330-at-file': 'ready draft',
  'overlays-330-auto-mode-notice': 'waiting client_notice',
  'overlays-330-btw': 'waiting dialog',
  'overlays-330-help': 'ready none',
  'overlays-330-history-search-at-work': 'working none',
  'overlays-330-history-search-query': 'waiting history_search',
  'overlays-330-history-search': 'waiting history_search',
  'overlays-330-model': 'waiting dialog',
  'overlays-330-reopened-from-agents': 'ready none',
  'overlays-330-rewind': 'waiting rewind',
  'overlays-330-shell-mode': 'ready draft',
  'overlays-330-slash-menu': 'ready draft',
  'overlays-330-stash': 'ready none',
  'overlays-330-todo': 'ready none',
  'overlays-330-transcript-at-work': 'working none',
  'overlays-330-transcript': 'waiting transcript_view',
  'waiting-01-bash-permission': 'waiting permission',
  'waiting-02-file-write-permission': 'waiting permission',
  'waiting-05-plan-approval-outside-planmode': 'ready none',
  'waiting-07-after-plan-esc': 'interrupted none',
  'waiting-08-plan-approved': 'ready none',
  'waiting-09-ask-user-question': 'waiting question',
  'waiting-10-after-ask-answer': 'ready none',
  'waiting-12-ask-second': 'waiting question',
  'waiting-14-model-dialog': 'waiting dialog',
  'waiting-16-spoof-then-permission': 'waiting permission',
  'working-01-streaming-09.0': 'working none',
  'working-01-streaming-14.0': 'working none',
  'working-01-streaming-27.1': 'working none',
  'working-01-streaming-35.1': 'working none',
  'working-03-thinking-5s': 'working thinking',
  'working-04-hung-stream-8s': 'working none',
  'working-05-no-response-8s': 'working none',
  'working-06-thought-done': 'ready none',
  'working-08-no-response-40s': 'working no_response',
  'working-09-bg-permission': 'background shell',
  'working-11-hung-stream-will-retry': 'working hung_stream',
  'working-12-bash-running-2s': 'working none',
  'working-15-subagent-running': 'working subagent',
  'working-17-hung-stream-5min': 'working none',
  'working-18-hung-twice': 'retrying other_error',
  'working-19-noresponse-10min': 'retrying other_error',
  'working-20-spoof-then-working': 'working none',
};

it('AG6 every recorded screen is in the table', () => {
  expect(Object.keys(EXPECTED).sort()).toEqual([...SCREEN_NAMES].sort());
});

describe.each(Object.entries(EXPECTED))('%s', (name, expected) => {
  it(`AG6 reads as ${expected}`, () => {
    const { state, cause } = readScreen(recordedScreen(name));
    expect(`${state} ${cause}`).toBe(expected);
  });

  it('AG7 keeps its group when cut to 40 columns', () => {
    const cut = readScreen(cutTo(40, recordedScreen(name)));
    expect(agentGroup(cut.state)).toBe(agentGroup(readScreen(recordedScreen(name)).state));
  });
});

it('AG6 a screen without its cursor and program keeps its group', () => {
  const changed = SCREEN_NAMES.filter((name) => {
    const screen = recordedScreen(name);
    const { state } = readScreen(screen);
    if (state === 'exited') return false;
    const program = screen.program === 'node' ? 'node' : 'claude';
    const blind = readScreen({ rows: screen.rows, cursor: null, program });
    return agentGroup(blind.state) !== agentGroup(state);
  });
  expect(changed).toEqual([]);
});

it('AG10 the choice what to do about a limit waits for a person; a wait cancelled is still a limit', () => {
  const read = (name: string) => readScreen(recordedScreen(name)).state;
  expect(read('errors-18-usage-limit-weekly')).toBe('waiting');
  expect(read('errors-18b-weekly-esc')).toBe('limited');
  expect(read('old-u20-11-usage-limit-esc')).toBe('limited');
  expect(read('errors-04-429-given-up-immediately')).toBe('errored');
});

it('AG9 the reset of a limit is given in the text of the screen', () => {
  const until = (name: string) => readScreen(recordedScreen(name)).untilText;
  expect(until('errors-19-usage-limit-1min')).toBe('11:46am (UTC)');
  expect(until('errors-18-usage-limit-weekly')).toBe('Nov 22, 1:45pm (UTC)');
  expect(until('old-u20-10-usage-limit')).toBe('1:33pm (UTC)');
});

it('AG15 AG20 nothing may be typed into a view of the client; a prompt next to help or a stash accepts it', () => {
  const boxes = (part: string) => [
    ...new Set(
      SCREEN_NAMES.filter((name) => name.startsWith('overlays-') && name.includes(part)).map(
        (name) => readScreen(recordedScreen(name)).box,
      ),
    ),
  ];
  for (const part of ['agents-view', 'history', 'transcript', 'rewind', 'model', 'btw']) {
    expect([part, boxes(part)]).toEqual([part, ['none']]);
  }
  for (const part of ['shell-mode', 'slash-menu', 'at-file']) {
    expect([part, boxes(part)]).toEqual([part, ['draft']]);
  }
  for (const part of ['help', 'stash', 'ctrl-c-once', 'todo']) {
    expect([part, boxes(part)]).toEqual([part, ['empty']]);
  }
});

it.each(['197', '330'])('IN2 a draft with the cursor at its start is one: %s', (version) => {
  const read = (name: string) => readScreen(recordedScreen(`drafts-${version}-${name}`));
  expect(read('caret-at-start')).toMatchObject({ box: 'draft', draft: 'rm nothing yet' });
  expect(read('two-lines')).toMatchObject({ box: 'draft', draft: 'two lines\nof a draft' });
  expect(read('command')).toMatchObject({ box: 'draft', draft: '/compact' });
});

it.each([
  'drafts-197-suggestion',
  'drafts-330-suggestion',
  'errors-03-529-given-up',
  'old-v10-02-idle',
  'other-codex-02-idle',
])('IN12 what a client suggests in its box is not a draft: %s', (name) => {
  const screen = recordedScreen(name);
  expect(screen.faint?.join('')).not.toBe('');
  expect(readScreen(screen).box).toBe('empty');
});

it('IN2 a single character with the cursor on it is a draft', () => {
  const edge = '─'.repeat(40);
  const rows = [edge, '❯ y', edge];
  const screen = { rows, cursor: [1, 2] as const, program: 'claude' };
  expect(readScreen({ ...screen, faint: ['', '', ''] }).box).toBe('draft');
  // With colours disabled, the client draws a suggestion like this too.
  expect(readScreen({ ...screen, faint: faintLines(rows) }).box).toBe('empty');
});

it('AG16 a prompt box without the cursor takes no keys, on any screen', () => {
  const { rows, program, cursor } = recordedScreen('overlays-330-help');
  expect(readScreen({ rows, program, cursor }).state).toBe('ready');
  const below = [(cursor?.[0] ?? 0) + 2, 12] as const;
  expect(readScreen({ rows, program, cursor: below })).toMatchObject({
    state: 'unknown',
    cause: 'not_understood',
    box: 'none',
  });
});

it.each([
  'Make auto mode your default permission mode?',
  'Auto mode can learn your environment: set it up?',
  'Switch to bypass permissions?',
])('AG17 "%s" is an offer of the client and asks nothing about the work', (title) => {
  const rows = [
    '● Done.',
    '',
    '▔'.repeat(80),
    `  ${title}`,
    '',
    '  ❯ 1. Yes',
    '    2. No, keep it',
  ];
  const seen = readScreen({
    rows: [...rows, '', '  Enter to confirm · Esc to cancel'],
    cursor: null,
    program: 'claude',
  });
  expect(seen).toMatchObject({ state: 'waiting', cause: 'client_notice', box: 'none' });
  expect(asksNothing(seen)).toBe(true);
});
