/**
 * `node src/draw-demo.ts`: writes `docs/pictures/demo.svg`, the first steps of what `pnpm demo` prints without a key. It has a background of its own, so that it is
 * legible on light and dark pages.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const keys = ['AI_GATEWAY_API_KEY', 'OPENAI_API_KEY', 'ANTHROPIC_API_KEY'];
const environment = Object.fromEntries(Object.entries(process.env).filter(([name]) => !keys.includes(name)));
const output = execFileSync(process.execPath, ['--conditions=@repertoire/source', 'src/main.ts'], {
  cwd: join(root, 'examples/demo'),
  env: { ...environment, NO_COLOR: '1' },
  encoding: 'utf8',
});
const all = output.split('\n');
const from = all.findIndex((line) => line.startsWith(' 1 '));
const to = all.findIndex((line) => line.startsWith(' 5 '));
if (from === -1 || to === -1) throw new Error('The demo prints no step 1 or no step 5.');
const lines = all.slice(from, to);

const [lineHeight, characterWidth, margin] = [19, 8, 20];
const width = Math.max(...lines.map((line) => line.length)) * characterWidth + 2 * margin;
const height = lines.length * lineHeight + 2 * margin;
const rows = lines.map((line, index) => {
  const style = /^ \d /.test(line) ? ' class="step"' : /^ {3}»/.test(line) ? ' class="why"' : '';
  return `<text x="${margin}" y="${margin + 14 + index * lineHeight}"${style} xml:space="preserve">${escaped(line)}</text>`;
});
writeFileSync(
  join(root, 'docs/pictures/demo.svg'),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The demo in a terminal">
<style>text{font:13.3px ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:#d6dae3}.step{fill:#8fb4ff;font-weight:bold}.why{fill:#9bd6a3}</style>
<rect width="${width}" height="${height}" rx="10" fill="#1b1f2a"/>
${rows.join('\n')}
</svg>
`,
);

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
