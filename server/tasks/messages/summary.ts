/** The short summary of a task. Pure. */
import { cut } from '../../../shared/rules/text/plain-text.ts';

const HEADING =
  /^\W{0,8}(?:(?:implementation |final |task )?summary|what i(?:['’]ve| have) done)\W{0,4}$/i;
const HEADED =
  /^\W{0,8}(?:(?:implementation |final |task )?summary|what i(?:['’]ve| have) done)\W{0,3}:\W{0,3}(?=\w)/i;

/** In characters. */
const HEADED_LENGTH = 500;
const LENGTH = 300;

/**
 * The text below the last heading of a reply that announces it (`Summary`), up to a blank line and
 * at most 500 characters, else the first 300 characters.
 */
export function summaryOf(reply: string): string {
  const lines = reply.split(/\r?\n/);
  const heading = lines.findLastIndex((line) => HEADING.test(line) || HEADED.test(line));
  const own = (lines[heading] ?? '').replace(HEADED, '').replace(HEADING, '');
  const rest = lines.slice(heading + 1);
  const below = own === '' ? rest.slice(rest.findIndex((line) => line.trim() !== '')) : rest;
  const end = below.findIndex((line) => line.trim() === '');
  const headed = [own, ...(end === -1 ? below : below.slice(0, end))].join('\n').trim();
  return heading === -1 || headed === '' ? cut(reply.trim(), LENGTH) : cut(headed, HEADED_LENGTH);
}
