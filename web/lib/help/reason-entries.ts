/** The reason codes of docs/troubleshooting.md, so that the page and the guide say the same. Pure. */

export interface ReasonGroup {
  title: string;
  reasons: { code: string; happened: string; next: string }[];
}

const ROW = /^\| `(\w+)` +\| (.+?) +\| (.+?) +\|$/;

/** Groups in the order of the guide; each is a heading with a table below. */
export function reasonGroups(guide: string): ReasonGroup[] {
  const [, section = ''] = guide.split('\n## Reason codes\n');
  return section
    .split('\n### ')
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      const rows = lines.map((line) => ROW.exec(line)).filter((row) => row !== null);
      const reasons = rows.map(([, code = '', happened = '', next = '']) => ({
        code,
        happened,
        next,
      }));
      return { title, reasons };
    });
}
