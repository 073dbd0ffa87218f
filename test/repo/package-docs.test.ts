import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { packageDocs } from '../../tools/package-docs.ts';
import { changeProse, pageText } from '../../tools/page-text.ts';
import { publishedPackages } from '../../tools/workspace.ts';

/** What all pages of a package may weigh in its archive. The core has nearly all of them. */
const maxKib = (name: string): number => (name === '@repertoire/skills-core' ? 210 : 75);

describe.each(publishedPackages())('the pages in the archive of $path', (workspacePackage) => {
  const { name } = workspacePackage.manifest;
  const pages = packageDocs(workspacePackage);

  it('are listed, and the SKILL.md beside them leads to the list', () => {
    const list = pages.get('README.md') ?? '';
    const others = [...pages.keys()].filter((path) => path !== 'README.md');
    expect(others).not.toEqual([]);
    expect([...list.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path)).toEqual(others);
    expect(readFileSync(join(workspacePackage.directory, 'SKILL.md'), 'utf8')).toContain('`docs/README.md`');
  });

  it('link to each other, or to an address', () => {
    expect([...pages]).not.toEqual([]);
    for (const [path, text] of pages)
      changeProse(text, (line) => {
        for (const [, href = ''] of line.matchAll(/\]\((?!#)([^)\s#]+)/g)) {
          const isThere = /^https?:/.test(href) || pages.has(posix.join(posix.dirname(path), href));
          expect(isThere, `${name}: docs/${path} links to ${href}`).toBe(true);
        }
        return line;
      });
  });

  it('stay small', () => {
    expect(gzipSync([...pages.values()].join('')).length / 1_024).toBeLessThan(maxKib(name));
  });
});

describe('pages for readers', () => {
  it('have no comments of ours, and all of the code', () => {
    const code = '```md\n<!-- repertoire-ignore dead-link -->\n\n\n[a](b.md)\n```';
    expect(pageText(`# A\n\n<!-- setup: const a = 1;\nconst b = 2; -->\n\n${code}\n\nEnd`)).toBe(`# A\n\n${code}\n\nEnd`);
  });

  it('keep links in code', () => {
    expect(changeProse('[a](b.md)\n```md\n[a](b.md)\n```\n[a](b.md)', (line) => line.toUpperCase())).toBe(
      '[A](B.MD)\n```md\n[a](b.md)\n```\n[A](B.MD)',
    );
  });

  it('lead to pages outside of an archive by an address', () => {
    const cards = publishedPackages().find(({ manifest }) => manifest.name === '@repertoire/skill-cards');
    const text = cards === undefined ? '' : (packageDocs(cards).get('reference/upgrading.md') ?? '');
    expect(text).toMatch(/\]\(https:\/\/github\.com\/repertoire\/repertoire\/blob\/main\/docs\/[\w/-]+\.md/);
  });
});
