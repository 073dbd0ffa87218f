import { expect, it } from 'vitest';
import { prepared } from './prepared.ts';

it('archives hold their code, their license, the pages about them, and none of their sources', () => {
  for (const { manifest, files } of prepared().packages) {
    expect(files, manifest.name).toEqual(
      expect.arrayContaining(['package.json', 'LICENSE', 'SKILL.md', 'docs/README.md', 'dist/index.js', 'dist/index.d.ts']),
    );
    const programs = Object.values((manifest['bin'] ?? {}) as Record<string, string>).map((path) => path.replace(/^\.\//, ''));
    expect(files, manifest.name).toEqual(expect.arrayContaining(programs));
    expect(
      files.filter(
        (file) => !programs.includes(file) && !/^(?:dist\/|docs\/[\w/-]+\.md$|package\.json$|LICENSE$|README\.md$|SKILL\.md$)/.test(file),
      ),
      manifest.name,
    ).toEqual([]);
  }
});
