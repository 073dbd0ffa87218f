/**
 * `node src/draw-card.ts`: draws `docs/pictures/social-card.png`, which messages with a link to this site show.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../../tools/open-browser.ts';

const pictures = join(import.meta.dirname, '../../docs/pictures');
const inspector = readFileSync(join(pictures, 'inspector.png')).toString('base64');
const opened = await openBrowser();
try {
  const page = await opened.browser.newPage({ viewport: { width: 1200, height: 630 } });
  await page.setContent(`<!doctype html><style>
    * { margin: 0; box-sizing: border-box; }
    body { width: 1200px; height: 630px; overflow: hidden; background: #faf9f5; color: #25221d; font-family: system-ui, 'Open Sans', sans-serif; }
    .words { position: absolute; left: 72px; top: 86px; width: 470px; }
    b { display: block; color: #28595c; font-size: 30px; font-weight: 600; }
    h1 { margin: 26px 0 28px; font-size: 66px; font-weight: 600; line-height: 1.08; letter-spacing: -0.02em; }
    p { color: #5b564c; font-size: 27px; line-height: 1.42; }
    img { position: absolute; left: 590px; top: 86px; width: 900px; border: 1px solid #cfc9bb; border-radius: 16px; box-shadow: 0 24px 60px rgb(40 30 10 / 16%); }
  </style><div class="words"><b>Repertoire</b><h1>Skills for TypeScript agents</h1><p>The open Agent Skills format, in any framework, from any source.</p></div>
  <img src="data:image/png;base64,${inspector}" alt="">`);
  await page.screenshot({ path: join(pictures, 'social-card.png') });
} finally {
  await opened.close();
}
