/**
 * Words that keep the daemon from answering. The lists are closed and deliberately too long: a
 * needless refusal costs a person a moment, the opposite mistake may cost their work.
 */
import { MAX_LENGTH, normalizedText } from './normalized-text.ts';

export type Risk =
  /** Mentions something that cannot be undone, costs money, or opens a door. */
  | 'denied'
  /**
   * Contains letters of other scripts, while the lists below are English, or is too long to be
   * read.
   */
  | 'unreadable'
  /** Can be undone, but a person has to decide. */
  | 'doubtful';

/** Stems: they match with any ending. */
const DENIED_STEMS =
  'delet remov truncat eras overwrit overwrot discard destroy destruct obliterat purg shred unlink ' +
  'uninstall annihilat irreversibl irrevocabl unrecoverabl permanent publish unpublish deploy ' +
  'redeploy undeploy releas purchas subscri revok credential secret password passphrase terminat ' +
  'decommission poweroff reboot bypass dangerous forc forfeit wip nuk abandon prun production ' +
  'terraform kubectl mkfs fdisk losch entfern supprim effac elimin borrar';
const DENIED_WORDS =
  'rm rmdir rmrf rf del drop drops dropped dropping dropdb pay pays paid paying payment payments buy buys ' +
  'buying bought charge charges charged charging bill billing billed invoice money refund ' +
  'transfer transfers mail mails email emails mailing emailing sudo doas su dd format formats ' +
  'formatted formatting reformat kill kills killed killing killall pkill shutdown halt chmod chown ' +
  'lose loses losing lost loss undone prod unrecoverably undelete apikey';
/** Words in this order, at most four others between two of them. */
const DENIED_PHRASES =
  'reset+hard hard+reset factory+reset push+f push+main push+master push+trunk merge+main ' +
  'merged+main merging+main merge+master merging+master merge+trunk migrate+prod migrate+live ' +
  'shut+down shutting+down go+live going+live git+clean clean+f clean+fd checkout+f branch+d ' +
  'filter+branch filter+repo credit+card api+key api+keys private+key ssh+key access+token ' +
  'auth+token cannot+undo data+gone place+order send+message send+sms skip+permissions start+over';
/** Matched even inside words, where blanks were inserted or removed. */
const DENIED_SEQUENCES =
  'delete deleting removing remove truncat overwrit discard destroy publish deploy purchas revok ' +
  'credential password passphrase shutdown uninstall irreversib forcepush pushforce resethard ' +
  'hardreset rmrf droptable dropdatabase chmodr production';

const DOUBTFUL_STEMS =
  'replac migrat rewrit revert restor downgrad upgrad install reinstall disabl archiv renam ' +
  'accept agree licen connect upload expos rebas squash stash amend commit push merg certain restart ' +
  'rollback';
const DOUBTFUL_WORDS =
  'reset resets clean cleans cleaning clear clears clearing empty empties emptying root ' +
  'send sends sending sent undo stop stops stopping cancel cancels close closes sure grant grants ' +
  'trust trusts fingerprint authenticity terms eula sign signs cost costs price tag tags curl wget ' +
  'eval token checkout switch roll cherry pick permission permissions';

const DENIED = matcher(DENIED_STEMS, DENIED_WORDS);
const DOUBTFUL = matcher(DOUBTFUL_STEMS, DOUBTFUL_WORDS);
const PHRASES = DENIED_PHRASES.split(' ').map((phrase) => phrase.split('+') as [string, string]);
const SEQUENCES = new RegExp(DENIED_SEQUENCES.replaceAll(' ', '|'));
/** Words allowed between the two of a phrase: `merge the branch into main`. */
const REACH = 5;

/** The gravest risk in the text. Linear, and never throws. */
function riskOf(text: string): Risk | null {
  if (text.length > MAX_LENGTH) return 'unreadable';
  const ways = normalizedText(text);
  if (ways.some(isDenied)) return 'denied';
  if (ways[0].some((word) => /[^a-z0-9]/.test(word))) return 'unreadable';
  return ways.some((words) => words.some((word) => DOUBTFUL.test(word))) ? 'doubtful' : null;
}

function isDenied(words: readonly string[]): boolean {
  if (words.some((word) => DENIED.test(word)) || SEQUENCES.test(words.join(''))) return true;
  return PHRASES.some((phrase) => holds(words, phrase));
}

/** Lines that are joined with and without a blank in every combination. */
const WRAPPED = 5;

/**
 * The gravest risk of the joined lines: a word may continue in the next line, with or without a
 * blank between.
 */
export function riskOfLines(lines: readonly string[]): Risk | null {
  const text = lines.join(' ');
  let gravest = riskOf(text);
  if (text.length > MAX_LENGTH) return gravest;
  for (let start = 0; start === 0 || start + WRAPPED <= lines.length; start += 1) {
    const near = lines.slice(start, start + WRAPPED);
    for (let glued = 1; glued < 2 ** (near.length - 1) && gravest !== 'denied'; glued += 1) {
      gravest = graver(gravest, riskOf(joined(near, glued)));
    }
  }
  return gravest;
}

/** Bit n of `glued`: line n continues in the next without a blank. */
function joined(lines: readonly string[], glued: number): string {
  return lines
    .map((line, index) =>
      (glued >> index) & 1 ? line.trim().replace(/[-‐]$/, '') : `${line.trim()} `,
    )
    .join('');
}

const GRAVITY: readonly (Risk | null)[] = [null, 'doubtful', 'unreadable', 'denied'];

function graver(one: Risk | null, other: Risk | null): Risk | null {
  return GRAVITY.indexOf(one) >= GRAVITY.indexOf(other) ? one : other;
}

function matcher(stems: string, words: string): RegExp {
  const prefixes = '(?:un|re|auto|mass|bulk)?';
  return new RegExp(
    `^(?:${prefixes}(?:${stems.replaceAll(' ', '|')})[a-z]*|(?:${words.replaceAll(' ', '|')}))$`,
  );
}

function holds(words: readonly string[], [first, second]: readonly [string, string]): boolean {
  return words.some(
    (word, index) => word === first && words.slice(index + 1, index + 1 + REACH).includes(second),
  );
}
