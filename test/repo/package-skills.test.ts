import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../packages/cli/src/run.ts';
import { publishedPackages, repositoryRoot } from '../../tools/workspace.ts';

const entries = new Set(
  publishedPackages().flatMap(({ manifest }) => Object.keys(manifest.exports ?? {}).map((entry) => manifest.name + entry.slice(1))),
);
/** Every word of the sources of every package. */
const words = new Set(
  globSync('packages/*/src/**/*.ts', { cwd: repositoryRoot }).flatMap(
    (file) => readFileSync(join(repositoryRoot, file), 'utf8').match(/\w+/g) ?? [],
  ),
);

describe.each(publishedPackages())('SKILL.md of $path', ({ path, directory, manifest }) => {
  const file = join(directory, 'SKILL.md');

  it('is valid by the strict profile', async () => {
    let output = '';
    const write = (text: string): void => void (output += text);
    const exitCode = await run(['check', directory], { stdout: { write }, stderr: { write } });
    expect(exitCode, output).toBe(0);
    expect(output).toContain('Valid skill: ');
  });

  it('names entries and exports that exist', () => {
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    expect(text).toContain(manifest.name);
    const named = text.match(/@repertoire\/[a-z-]+(?:\/[a-z-]+)?/g) ?? [];
    expect(named.filter((name) => !entries.has(name))).toEqual([]);
    // In prose. Blocks of code are type-checked.
    const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
    const identifiers = [...prose.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => code.match(/\b[a-z]+[A-Z]\w*/g) ?? []);
    expect(identifiers.filter((identifier) => !words.has(identifier))).toEqual([]);
  });

  it('stands beside a README whose first block of TypeScript is near the top', () => {
    const readme = readFileSync(join(repositoryRoot, path, 'README.md'), 'utf8');
    const lines = readme.split('\n').findIndex((line) => line === '```ts');
    expect(lines).toBeGreaterThan(0);
    expect(lines).toBeLessThan(50);
    expect(readme).toMatch(/^npm install /m);
  });
});
