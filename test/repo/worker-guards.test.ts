import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { buildWorker } from '../../tools/build-worker.ts';
import { bundleForWorkers } from '../../tools/bundle-for-workers.ts';
import { workerContents } from '../../tools/worker-contents.ts';
import { workerProblems } from '../../tools/worker-problems.ts';

const lax = { maxKib: 1000, absent: [] };

describe('what a Worker may hold', () => {
  it('SRC-9: reports each module of Node that is imported, at once or later, and who brings it', async () => {
    const bundle = await bundleForWorkers(
      `import { fileSystemSkillProvider } from '@repertoire/skill-fs';
       export default { fileSystemSkillProvider, later: () => import('http2') };`,
      { conditions: ['@repertoire/source'] },
    );
    const problems = workerProblems(bundle, 1, { ...lax, absent: ['@repertoire/skill-fs'] });
    expect(problems).toContain('It holds @repertoire/skill-fs, which must not be in it.');
    expect(problems).toContain('It imports node:fs/promises, because of @repertoire/skill-fs.');
    expect(problems).toContain('It imports node:http2, because of its own code.');
  });

  it('SRC-9: takes the exceptions that are told, exactly, and reports those that are no longer needed', async () => {
    const bundle = await bundleForWorkers(`import { AsyncLocalStorage } from 'node:async_hooks'; export default new AsyncLocalStorage();`);
    expect(workerProblems(bundle, 1, { ...lax, nodeImports: { '.': ['node:async_hooks'] } })).toEqual([]);
    expect(workerProblems(bundle, 1, { ...lax, nodeImports: { '.': ['node:async_hooks', 'node:fs'], langsmith: ['node:path'] } })).toEqual([
      'It no longer imports node:fs because of its own code: strike out the exception.',
      'It no longer imports node:path because of langsmith: strike out the exception.',
    ]);
  });

  it('SRC-9: reports a module of Node that nothing tells the origin of', () => {
    const output = { bytes: 1, inputs: {}, exports: [], imports: [{ path: 'node:quic', kind: 'dynamic-import' as const, external: true }] };
    const contents = workerContents({ inputs: {}, outputs: { 'worker.js': output } });
    expect(workerProblems(contents, 1, lax)).toEqual(['It imports node:quic, because of something that its metafile does not tell.']);
  });

  it('SRC-9: reports a package that stayed an import, and a bundle that is too heavy', async () => {
    const bundle = await bundleForWorkers(`export { parse } from 'yaml';`, { external: ['yaml'] });
    expect(workerProblems(bundle, 12.34, { maxKib: 12, absent: ['yaml', 'zod'] })).toEqual([
      'It weighs 12.3 KiB gzipped, and may weigh 12. Make it smaller, or raise the ceiling and say why.',
      'It holds yaml, which must not be in it.',
    ]);
  });

  it('SRC-9: finds in what wrangler itself builds what a Worker imports and holds, what it weighs and how long it starts', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'worker-guards-'));
    const files = {
      'wrangler.json': JSON.stringify({
        name: 'guarded',
        main: 'src/worker.js',
        compatibility_date: '2026-11-01',
        compatibility_flags: ['no_nodejs_compat', 'no_nodejs_compat_v2'],
      }),
      'src/worker.js': `import brought from 'brought'; import * as platform from 'cloudflare:workers'; export default { fetch: () => new Response(String([brought, platform.env])) };`,
      'node_modules/brought/package.json': '{"name":"brought","version":"1.0.0","type":"module","main":"index.js"}',
      'node_modules/brought/index.js': `export default () => import('node:fs');`,
    };
    try {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const worker = await buildWorker(folder);
      expect(worker).toMatchObject({
        packages: ['brought'],
        nodeImports: { brought: ['node:fs'] },
        imports: expect.arrayContaining(['cloudflare:workers', 'node:fs']),
        startUpMs: expect.any(Number),
      });
      expect(worker.kib).toBeGreaterThan(0.1);
      expect(worker.rawKib).toBeGreaterThan(worker.kib);
      expect(workerProblems(worker, worker.kib, { ...lax, absent: ['brought'] })).toEqual([
        'It holds brought, which must not be in it.',
        'It imports node:fs, because of brought.',
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
