/** The entry in the client's settings: put in and taken out of any text without touching the rest. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { withEntry, withoutEntries } from '../../../server/client-hooks/relay-entry.ts';

const COMMAND = "'/usr/bin/node' '/opt/relay.js' '/home/me/hook.json' || true";
const HOOK = { type: 'command', command: COMMAND, timeout: 60 } as const;
const ENTRY = { matcher: '', hooks: [HOOK] };
const isOurs = (command: string) => command.includes("'/home/me/hook.json'");

function added(text: string): string {
  const { text: changed, refusal } = withEntry(text, HOOK);
  if (changed === null) throw new Error(refusal);
  return changed;
}

it('FS30 the entry is written as its surroundings are, and nothing else changes', () => {
  const text = '{\n\t"theme": "dark",\n\t"model": "opus"\n}\n';
  expect(added(text)).toBe(
    [
      '{',
      '\t"theme": "dark",',
      '\t"model": "opus",',
      '\t"hooks": {',
      '\t\t"PermissionRequest": [',
      '\t\t\t{',
      '\t\t\t\t"matcher": "",',
      '\t\t\t\t"hooks": [',
      '\t\t\t\t\t{',
      '\t\t\t\t\t\t"type": "command",',
      `\t\t\t\t\t\t"command": ${JSON.stringify(COMMAND)},`,
      '\t\t\t\t\t\t"timeout": 60',
      '\t\t\t\t\t}',
      '\t\t\t\t]',
      '\t\t\t}',
      '\t\t]',
      '\t}',
      '}',
      '',
    ].join('\n'),
  );
});

const OTHER = { matcher: 'Bash', hooks: [{ type: 'command', command: 'log "a,]}b"' }] };
const TEXTS = [
  '{"theme":"dark"}',
  '{"theme":"dark","hooks":{"Stop":[]}}',
  JSON.stringify({ hooks: { Stop: [OTHER] }, model: 'opus' }, null, 4),
  JSON.stringify({ hooks: { PermissionRequest: [OTHER] }, 'a"b': '\\"}' }, null, 2),
  `\r\n{\r\n    "z": 1,\r\n    "hooks": { "PermissionRequest": [ ${JSON.stringify(OTHER)} ] }\r\n}`,
  '{ "n": -1.50e+3 , "s" : "\\u0022" , "hooks" : { "Stop" : [ ] , "X" : [ { } ] } }',
];

it.each(TEXTS)('FS31 put in and taken out again, the text is as before: %s', (text) => {
  const changed = added(text);
  expect(JSON.stringify(JSON.parse(changed))).toContain(JSON.stringify(ENTRY));
  expect(withoutEntries(changed, isOurs)).toEqual({ text, refusal: null });
});

it('FS31 what was added around the entry stays when it is taken out', () => {
  const merged = JSON.parse(added('{"theme":"dark"}')) as {
    hooks: { PermissionRequest: { hooks: object[] }[] };
  };
  merged.hooks.PermissionRequest[0]?.hooks.push({ type: 'command', command: 'mine' });
  const { text } = withoutEntries(JSON.stringify(merged, null, 2), isOurs);
  const mine = { matcher: '', hooks: [{ type: 'command', command: 'mine' }] };
  expect(JSON.parse(text ?? '')).toEqual({
    theme: 'dark',
    hooks: { PermissionRequest: [mine] },
  });
});

it.each([
  ['', 'not valid JSON'],
  ['{"theme": "dark",}', 'not valid JSON'],
  ['// comment\n{}', 'not valid JSON'],
  ['[]', 'not what the client expects'],
  ['"text"', 'not what the client expects'],
  ['{"hooks": []}', 'not what the client expects'],
  ['{"hooks": {"PermissionRequest": {}}}', 'not what the client expects'],
  ['{"hooks": null}', 'not what the client expects'],
  ['{"disableAllHooks": true}', 'switches off all hooks'],
  ['{"hooks": {"a": 1, "a": 2, "PermissionRequest": [], "PermissionRequest": 7}}', 'expects'],
])('FS32 %s is refused', (text, why) => {
  const { text: changed, refusal } = withEntry(text, HOOK);
  expect(changed).toBeNull();
  expect(refusal).toContain(why);
});

const anything = fc.jsonValue({ maxDepth: 3 });
const SETTINGS = fc.record(
  {
    hooks: fc.record({
      Stop: anything,
      PermissionRequest: fc.array(fc.oneof(anything, fc.constant(OTHER)), { minLength: 1 }),
    }),
    'a"},[': anything,
    model: anything,
  },
  { requiredKeys: [] },
);

it('FS32 in any settings, only the entry is added, and it can be taken out', () => {
  const indentation = fc.constantFrom(0, 1, 4, '\t');
  const property = fc.property(SETTINGS, indentation, (settings, indent) => {
    const text = JSON.stringify(settings, null, indent);
    const changed = added(text);
    const { hooks, ...rest } = JSON.parse(changed) as typeof settings;
    const { hooks: before, ...others } = JSON.parse(text) as typeof settings;
    expect(rest).toEqual(others);
    expect(hooks?.PermissionRequest).toEqual([...(before?.PermissionRequest ?? []), ENTRY]);
    expect(withoutEntries(changed, isOurs)).toEqual({ text, refusal: null });
  });
  fc.assert(property, { numRuns: 500, seed: 30 });
});
