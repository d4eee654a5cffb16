/** What people call the files of a module; others keep their names. */
const TITLES: Readonly<Record<string, string>> = {
  '.plan.md': 'Plan',
  '.summary.md': 'Summary',
  '.report.md': 'Report',
  '.test/plan.md': 'Test plan',
  '.test/commands': 'Test commands',
};

export function fileTitle(name: string): string {
  const known = TITLES[name];
  if (known !== undefined) return known;
  return name.replace(/^\.test\//, 'Tests: ').replace(/^\.analysis\//, 'Analysis: ');
}
