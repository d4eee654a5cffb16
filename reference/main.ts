/** Writes the documentation pages generated from definitions in the code; `npm run docs`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../server/lib/package-root.ts';
import { PAGES, pageText } from './pages.ts';

for (const path of Object.keys(PAGES)) {
  writeFileSync(join(packageRoot(), path), await pageText(path));
}
