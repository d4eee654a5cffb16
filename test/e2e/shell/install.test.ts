/** What the browser needs to install the page like an app. */
import { expect, it } from 'vitest';
import { openDashboard, useBrowser } from '../../support/browser/browser.ts';
import { World } from '../../support/daemon/world.ts';

useBrowser();

interface Manifest {
  start_url: string;
  display: string;
  icons: { src: string; sizes: string; type: string; purpose?: string }[];
}

it('PG17 the page can be installed, with icons of the sizes it names', async () => {
  await using world = new World();
  const { api } = await world.start();
  await using page = await openDashboard(api);
  const session = await page.context().newCDPSession(page);
  const { url, errors, data } = await session.send('Page.getAppManifest');
  expect({ url, errors }).toEqual({ url: `${api.url}/manifest.webmanifest`, errors: [] });
  expect(await session.send('Page.getInstallabilityErrors')).toEqual({ installabilityErrors: [] });
  const manifest = JSON.parse(data ?? '') as Manifest;
  expect(manifest).toMatchObject({ start_url: '/', display: 'standalone' });
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable');
  const touchIcon = { src: '/apple-touch-icon.png', sizes: '180x180', type: 'image/png' };
  for (const { src, sizes, type } of [...manifest.icons, touchIcon]) {
    const response = await fetch(`${api.url}${src}`);
    const png = Buffer.from(await response.arrayBuffer());
    // A PNG has its width and height at bytes 16 and 20.
    const size = `${png.readUInt32BE(16)}x${png.readUInt32BE(20)}`;
    expect({ src, size, type: response.headers.get('content-type') }).toEqual({
      src,
      size: sizes,
      type,
    });
  }
});
