/** A command line in its full form: the verb a noun has without one, and no old spelling. */

/** What a noun alone does. Not commander's default, which takes a misspelt verb for an argument. */
export const DEFAULT_VERB: Readonly<Record<string, string>> = {
  session: 'ls',
  loop: 'ls',
  module: 'ls',
  respawn: 'ls',
  task: 'ls',
  project: 'ls',
  prompt: 'ls',
  run: 'ls',
  attention: 'show',
  alert: 'ls',
  people: 'ls',
  fleet: 'ls',
  budget: 'ls',
  reserve: 'show',
  client: 'ls',
  question: 'ls',
};

/** Commands as they were before nouns and verbs; scripts keep working. */
const OLD: Readonly<Record<string, string>> = {
  auto: 'loop',
  'auto status': 'loop ls',
  why: 'loop why',
  restart: 'loop restart',
  input: 'session input',
  interrupt: 'session interrupt',
  screen: 'session screen',
  attach: 'session attach',
  record: 'session record',
  answer: 'attention answer',
  alerts: 'alert',
  'alerts list': 'alert ls',
  'people list': 'people ls',
  'prompt list': 'prompt ls',
  'task list': 'task ls',
};

/** `words` are those after the program's name. */
export function currentSpelling(words: readonly string[]): string[] {
  const [noun = '', verb, ...rest] = withoutOld(words);
  const standard = DEFAULT_VERB[noun];
  if (standard === undefined || verb === '--help' || verb === '-h') return withoutOld(words);
  if (verb === undefined) return [noun, standard];
  if (noun === 'run' && isPrompt([verb, ...rest])) return [noun, 'start', verb, ...rest];
  return verb.startsWith('-') ? [noun, standard, verb, ...rest] : withoutOld(words);
}

/**
 * `run "fix the login"` starts a run. A single word could be a misspelt verb, and a run costs money:
 * it needs `run start`.
 */
function isPrompt(words: readonly string[]): boolean {
  const [first = ''] = words;
  if (/^[a-z]+$/i.test(first)) return false;
  return words.some((word) => /\s/.test(word) || word === '-' || word.startsWith('@'));
}

/** The same without adding a verb. */
export function withoutOld(words: readonly string[]): string[] {
  const [first = '', second = '', ...rest] = words;
  // `auto status` showed all loops, or the one that was named.
  if (first === 'auto' && second === 'status' && rest.some((word) => !word.startsWith('-'))) {
    return ['loop', 'show', ...rest];
  }
  const both = OLD[`${first} ${second}`];
  if (both !== undefined) return [...both.split(' '), ...rest];
  const one = OLD[first];
  return one === undefined ? [...words] : [...one.split(' '), ...words.slice(1)];
}
