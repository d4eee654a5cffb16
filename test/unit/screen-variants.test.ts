/** Screens that were never recorded, drawn after the descriptions of clients, at many widths. */
import { describe, expect, it } from 'vitest';
import { agentGroup } from '../../shared/agent-state.ts';
import { readScreen } from '../../server/agents/read-screen.ts';
import { type Drawing, drawScreen } from '../support/draw-screen.ts';

const RULE = '─'.repeat(250);
const TOP = '▔'.repeat(250);
const DASHES = '╌'.repeat(250);
const TURN = ['❯ fix the tests', '', '● I will look at the failing tests first.', ''];
const BUSY = ['⏵⏵ accept edits on (shift+tab to cycle) · esc to interrupt'];

const VARIANTS: Record<string, { expected: string; drawing: Drawing }> = {
  'a long verb of one’s own': {
    expected: 'working none',
    drawing: {
      above: [
        ...TURN,
        '✽ Implementing the new authentication flow for users… (12m 4s · ↑ 3.2k tokens)',
      ],
    },
  },
  'a spinner without the footer': {
    expected: 'working none',
    drawing: { above: [...TURN, '✢ Pondering…'], footer: [] },
  },
  'a spinner with an hour': {
    expected: 'working none',
    drawing: { above: [...TURN, '* Hatching… (1h 2m 3s · ↓ 120.4k tokens)'] },
  },
  'the glyph of other systems': {
    expected: 'working none',
    drawing: { above: [...TURN, '✳ Hatching… (3s)'] },
  },
  'a spinner over a list of tasks': {
    expected: 'working none',
    drawing: {
      above: [
        ...TURN,
        '✶ Writing tests… (45s · ↓ 1.2k tokens)',
        '  ⎿  ☒ Read the code',
        '     ☐ Write tests',
        '     ☐ Run them',
      ],
    },
  },
  'a spinner over marks of tasks': {
    expected: 'working none',
    drawing: {
      above: [
        ...TURN,
        '✶ Writing tests… (45s · ↓ 1.2k tokens)',
        '  ✔ Read the code',
        '  ◼ Write tests',
        '  ◻ Run them',
      ],
    },
  },
  thinking: {
    expected: 'working thinking',
    drawing: { above: [...TURN, '✻ Musing… (8s · thinking)'], columns: 80 },
  },
  'the footer alone': {
    expected: 'working none',
    drawing: { above: ['❯ go'], footer: ['⏸ manual mode on · esc to interrupt'] },
  },
  'no answer for two minutes': {
    expected: 'working no_response',
    drawing: { above: ['❯ go', '', '✻ Zigzagging… (2m 10s)'] },
  },
  'a silent stream': {
    expected: 'working hung_stream',
    drawing: {
      above: [...TURN, '✻ Waiting for API response · will retry in 45s · check your network'],
      footer: BUSY,
    },
  },
  'two subagents': {
    expected: 'working subagent',
    drawing: { above: [...TURN, '✻ Waiting for 2 background agents to finish'] },
  },
  'compacting with numbers': {
    expected: 'compacting none',
    drawing: { above: ['❯ /compact', '', '✶ Compacting conversation… (34s · ↑ 2.1k tokens)'] },
  },
  'a retry after a 500': {
    expected: 'retrying server_error',
    drawing: {
      above: [...TURN, '✻ 500 Internal server error · retrying in 17s · attempt 6/10'],
      footer: BUSY,
    },
  },
  'a retry without a network': {
    expected: 'retrying network',
    drawing: {
      above: [...TURN, '✻ Unable to connect · retrying in 1m 2s · attempt 8/10'],
      footer: BUSY,
    },
  },
  'a queued prompt in an older client': {
    expected: 'working none',
    drawing: {
      mark: '>',
      above: ['> first', '', '✻ Mulling… (4s · esc to interrupt)', '', '> second'],
      footer: [],
    },
  },
  'the end of a turn with an unknown verb': {
    expected: 'ready none',
    drawing: { above: [...TURN, '✻ Flambéed for 3m 12s · done 9:05 AM'] },
  },
  'the end of a turn after an hour': {
    expected: 'ready none',
    drawing: { above: [...TURN, '✻ Worked for 1h 4m 2s · done 12:01 AM'] },
  },
  'a draft with a slash': { expected: 'ready draft', drawing: { above: TURN, draft: '/comp' } },
  'shell mode': { expected: 'ready draft', drawing: { above: TURN, mark: '!', draft: '' } },
  'two shells that go on': {
    expected: 'background shell',
    drawing: { above: [...TURN, '✻ Cooked for 9s · done 1:00 PM · 2 shells still running'] },
  },
  'an older client’s shell': {
    expected: 'background shell',
    drawing: { above: TURN, footer: ['⏵⏵ auto mode on · 1 bash running · ↓ to view'] },
  },
  'an interrupted tool': {
    expected: 'interrupted none',
    drawing: {
      above: [...TURN, '● Bash(npm test)', '  ⎿  Interrupted · What should Claude do instead?'],
    },
  },
  'an interruption in 1.0': {
    expected: 'interrupted none',
    drawing: { mark: '>', above: ['> go', '  ⎿  [Request interrupted by user]'] },
  },
  'a network error': {
    expected: 'errored network',
    drawing: { above: ['❯ go', '', '● API Error: Connection error. Check your network.'] },
  },
  'an invalid key': {
    expected: 'errored authentication',
    drawing: { above: ['❯ go', '  ⎿  Invalid API key · Please run /login'] },
  },
  'a gateway error': {
    expected: 'errored server_error',
    drawing: { above: [...TURN, '● API Error: 502 Bad gateway'] },
  },
  'a limit that goes on by itself': {
    expected: 'limited five_hour',
    drawing: {
      above: [
        ...TURN,
        '  ⎿  You’ve hit your 5-hour limit · resets 3am (Europe/Berlin)',
        '',
        '● Usage limit reached · continuing automatically at 3am · esc to cancel',
      ],
      footer: [
        '⚠ Usage limit reached · limit resets 3am',
        '  Continuing automatically at 3am · Esc to cancel',
      ],
    },
  },
  'a weekly limit at the prompt': {
    expected: 'limited weekly',
    drawing: {
      above: [
        '❯ go',
        "  ⎿  You've hit your weekly limit · resets Dec 3, 9am (UTC)",
        '     /upgrade to increase your usage limit.',
      ],
    },
  },
  'a limit in the words of 2.0': {
    expected: 'limited five_hour',
    drawing: {
      mark: '>',
      above: [
        '> go',
        '  ⎿  5-hour limit reached ∙ resets 2pm',
        '     /upgrade to increase your usage limit.',
      ],
      footer: [],
    },
  },
  'a limit in the words of 1.0': {
    expected: 'limited usage',
    drawing: {
      mark: '>',
      above: ['> go', '  ⎿  Claude usage limit reached. Your limit will reset at 2pm (UTC).'],
      footer: [],
    },
  },
  'a limit in the middle of a turn': {
    expected: 'limited weekly',
    drawing: { above: [...TURN, "  ⎿  You've hit your weekly limit · resets Dec 3, 9am (UTC)"] },
  },
  'a limit whose wait was cancelled': {
    expected: 'ready none',
    drawing: {
      above: [
        '❯ go',
        "  ⎿  You've hit your 5-hour limit · resets 1:14pm (UTC)",
        '',
        '● Usage limit reached · continuing automatically at 1:14pm · esc to cancel',
        '',
        '● Automatic continue cancelled · /rate-limit-options to re-arm',
      ],
    },
  },
  'a limit that was reset, and an answer': {
    expected: 'ready none',
    drawing: {
      above: [
        '❯ go',
        "  ⎿  You've hit your 5-hour limit · resets 1:14pm (UTC)",
        '',
        '● Usage limit reached · continuing automatically at 1:14pm · esc to cancel',
        '',
        '● Recovered after the reset.',
        '',
        '✻ Baked for 2s · done 1:16 PM',
      ],
    },
  },
  'a limit before a newer prompt': {
    expected: 'ready none',
    drawing: {
      above: ['❯ go', "  ⎿  You've hit your 5-hour limit · resets 1:14pm (UTC)", '', '❯ /clear'],
    },
  },
  'a plan': {
    expected: 'waiting plan',
    drawing: {
      draft: null,
      above: [
        ...TURN,
        RULE,
        ' Ready to code?',
        '',
        ' Here is Claude’s plan:',
        DASHES,
        ' 1. Do the first thing',
        DASHES,
        ' Claude has written up a plan and is ready to execute. Would you like to proceed?',
        '',
        ' ❯ 1. Yes, and use auto mode',
        '   2. Yes, manually approve edits',
        '   3. No, keep planning',
        '',
        ' ctrl+g to edit in Vim · ~/.claude/plans/a.md',
      ],
    },
  },
  'an edit to be allowed': {
    expected: 'waiting permission',
    drawing: {
      draft: null,
      above: [
        ...TURN,
        '● Update(a.txt)',
        '',
        RULE,
        ' Edit file',
        ' a.txt',
        DASHES,
        '  1 -❯ 1. Yes',
        '  1 +● goodbye',
        DASHES,
        ' Do you want to make this edit to a.txt?',
        ' ❯ 1. Yes',
        '   2. Yes, allow all edits during this session (shift+tab)',
        '   3. No',
        '',
        ' Esc to cancel · Tab to amend',
      ],
    },
  },
  'a fetch to be allowed': {
    expected: 'waiting permission',
    drawing: {
      draft: null,
      above: [
        ...TURN,
        RULE,
        ' Fetch',
        '',
        '   https://example.com',
        '   Claude wants to fetch content from example.com',
        '',
        ' Do you want to allow Claude to fetch this content?',
        '   1. Yes',
        " ❯ 2. Yes, and don't ask again for example.com",
        '   3. No, and tell Claude what to do differently (esc)',
      ],
    },
  },
  'a permission in a frame': {
    expected: 'waiting permission',
    drawing: {
      columns: 60,
      draft: null,
      above: [
        '> go',
        '',
        '╭──────────────────────────────────────────────────────────╮',
        '│ Bash command                                             │',
        '│   rm -rf build                                           │',
        '│ Do you want to proceed?                                  │',
        '│ ❯ 1. Yes                                                 │',
        '│   2. No, and tell Claude what to do differently (esc)    │',
        '╰──────────────────────────────────────────────────────────╯',
      ],
    },
  },
  'the answers to several questions': {
    expected: 'waiting question',
    drawing: {
      draft: null,
      above: [
        '❯ go',
        RULE,
        '←  ☒ Colour  ☒ Sizes  ✔ Submit  →',
        '',
        'Review your answers',
        '',
        ' ● Which colour should the button be?',
        '   → Red',
        '',
        'Ready to submit your answers?',
        '',
        '❯ 1. Submit answers',
        '  2. Cancel',
      ],
    },
  },
  'the choice of a login': {
    expected: 'waiting login',
    drawing: {
      draft: null,
      above: [
        'Welcome to Claude Code v2.1.329',
        '..........',
        '',
        ' Claude Code can be used with your Claude subscription.',
        '',
        ' Select login method:',
        '',
        ' ❯ 1. Claude account with subscription',
        '   2. Anthropic Console account',
        '   3. 3rd-party platform',
      ],
    },
  },
  'a login in the browser': {
    expected: 'waiting login',
    drawing: {
      draft: null,
      above: [
        'Welcome to Claude Code v2.1.329',
        '',
        " Browser didn't open? Use the url below to sign in (c to copy)",
        '',
        'https://example.com/oauth/authorize?code=true',
        '',
        ' Paste code here if prompted >',
        '',
        ' Esc to cancel',
      ],
    },
  },
  'the trust dialog of an older client': {
    expected: 'waiting trust',
    drawing: {
      draft: null,
      above: [
        RULE,
        ' Do you trust the files in this folder?',
        '',
        ' /home/dev/proj',
        '',
        ' ❯ 1. Yes, proceed',
        '   2. No, exit',
        '',
        ' Enter to confirm · Esc to exit',
      ],
    },
  },
  'several MCP servers': {
    expected: 'waiting mcp_approval',
    drawing: {
      draft: null,
      above: [
        RULE,
        '  2 new MCP servers found in .mcp.json',
        '',
        '  Select any you wish to enable.',
        '',
        '  ❯ [✔] demo',
        '    [✔] other',
        '',
        '  Space to select · Enter to confirm · Esc to reject all',
      ],
    },
  },
  'a settings error': {
    expected: 'waiting settings_warning',
    drawing: {
      draft: null,
      above: [
        RULE,
        '  Settings Error',
        '',
        '  /home/dev/.claude/settings.json',
        '  └ Invalid or malformed JSON',
        '',
        '  ❯ 1. Exit and fix manually',
        '    2. Continue without these settings',
        '',
        '  Enter to confirm · Esc to cancel',
      ],
    },
  },
  'the choice of a conversation': {
    expected: 'waiting dialog',
    drawing: {
      draft: null,
      above: [
        TOP,
        '  Resume session',
        '  ╭────────────────────╮',
        '  │ ⌕ Search…          │',
        '  ╰────────────────────╯',
        '',
        '  ❯ fix the tests',
        '    2 minutes ago · master',
        '',
        '  ctrl+a to show all projects · Type to search · Esc to cancel',
      ],
    },
  },
  'the settings': {
    expected: 'waiting dialog',
    drawing: {
      draft: null,
      above: [
        ...TURN,
        TOP,
        '  Status   Config   Usage',
        '',
        '  ❯ Auto-compact              true',
        '    Show tips                 true',
        '',
        '  Space to change · Enter to save · / to search · Esc to cancel',
      ],
    },
  },
  'a limit’s dialog with a wait': {
    expected: 'waiting dialog',
    drawing: {
      draft: null,
      above: [
        '❯ go',
        "  ⎿  You've hit your 5-hour limit · resets 9pm (UTC)",
        '',
        TOP,
        '  What do you want to do?',
        '',
        '    1. Stop and wait for limit to reset',
        '  ❯ 2. Wait here, then continue automatically at 9pm',
        '    3. Upgrade your plan',
        '',
        '  Enter to confirm · Esc to cancel',
      ],
    },
  },
  'rewinding to one point': {
    expected: 'waiting dialog',
    drawing: {
      draft: null,
      above: [
        TOP,
        '  Rewind',
        '',
        '  Confirm you want to restore to the point before you sent this message:',
        '',
        '  │ fix the tests',
        '',
        '  ❯ 1. Restore conversation',
        '    2. Never mind',
        '',
        '  Enter to continue · Esc to cancel',
      ],
    },
  },
  'nothing drawn yet': { expected: 'starting none', drawing: { draft: null, above: ['', '', ''] } },
  'the whole conversation': {
    expected: 'unknown not_understood',
    drawing: {
      draft: null,
      above: [
        '❯ go',
        '',
        '● It said:',
        '  ❯ 1. Yes',
        '    2. No',
        '  Esc to cancel',
        '',
        RULE,
        '  Showing detailed transcript · ctrl+o to toggle',
      ],
    },
  },
  'a crash': {
    expected: 'unknown not_understood',
    drawing: {
      draft: null,
      above: [
        '',
        '  ERROR  Cannot read properties of undefined',
        '',
        ' file:///opt/claude/cli.js:12:1257',
        ' - gw9 (file:///opt/claude/cli.js:12)',
      ],
    },
  },
  'codex at work': {
    expected: 'working none',
    drawing: {
      program: 'node',
      draft: null,
      above: [
        '› go',
        '',
        '• I will look.',
        '',
        '• Working (1m 3s • esc to interrupt)',
        '',
        '› Ask Codex to do anything',
        '',
        '  gpt-6 default · /home/dev/proj',
      ],
    },
  },
  'codex asked for trust': {
    expected: 'waiting trust',
    drawing: {
      program: 'node',
      draft: null,
      above: [
        '> You are in /home/dev/proj',
        '',
        '  Do you trust the contents of this directory?',
        '',
        '› 1. Yes, continue',
        '  2. No, quit',
        '',
        '  Press enter to continue',
      ],
    },
  },
  'codex with an error': {
    expected: 'errored rate_limit',
    drawing: {
      program: 'node',
      draft: null,
      above: [
        '› go',
        '',
        '■ exceeded retry limit, last status: 429 Too Many Requests',
        '',
        '› Ask Codex to do anything',
        '',
        '  gpt-6 default',
      ],
    },
  },
  'gemini at its prompt': {
    expected: 'ready none',
    drawing: {
      program: 'node',
      draft: null,
      above: [
        ' > hello',
        '',
        '✦ Hello!',
        '',
        RULE,
        ' Shift+Tab to accept edits',
        '',
        ' >   Type your message or @path/to/file',
        '',
        ' workspace (/directory)',
        ' /home/dev/proj',
      ],
    },
  },
  'gemini that asks': {
    expected: 'waiting permission',
    drawing: {
      program: 'node',
      columns: 60,
      draft: null,
      above: [
        '✦ I will run it.',
        '',
        '╭──────────────────────────────────────────────────────────╮',
        '│ ?  Shell touch x                                         │',
        "│ Allow execution of: 'touch'?                             │",
        '│                                                          │',
        '│ ● 1. Allow once                                          │',
        '│   2. Allow for this session                              │',
        '│   3. No, suggest changes (esc)                           │',
        '╰──────────────────────────────────────────────────────────╯',
      ],
    },
  },
};

const WIDTHS = [120, 200, 80, 60, 40];

describe.each(Object.entries(VARIANTS))('%s', (_name, { expected, drawing }) => {
  it(`AG6 is ${expected}`, () => {
    const { state, cause } = readScreen(drawScreen(drawing));
    expect(`${state} ${cause}`).toBe(expected);
  });

  it.each(WIDTHS)('AG6 keeps its group at %i columns, wrapped', (columns) => {
    const { state } = readScreen(drawScreen({ ...drawing, columns, height: 15 }));
    expect(agentGroup(state)).toBe(agentGroup(readScreen(drawScreen(drawing)).state));
  });
});

it('AG1 a shell in front has outlived whatever is drawn', () => {
  for (const { drawing } of Object.values(VARIANTS)) {
    for (const program of ['bash', '-zsh', 'fish']) {
      expect(readScreen({ ...drawScreen(drawing), program }).state).toBe('exited');
    }
  }
});
