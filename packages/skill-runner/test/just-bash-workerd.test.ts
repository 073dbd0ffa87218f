import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { expect, it } from 'vitest';

const worker = `
import { justBashRunner } from '@repertoire/skill-runner/just-bash';
import { expandSnippets } from '@repertoire/skill-runner/scripts';
import { skillDigest } from '@repertoire/skills-core/provider';
import { Bash } from 'just-bash/browser';

const files = { 'scripts/top.sh': new TextEncoder().encode('sort data.txt | uniq -c; echo "$1"'), 'data.txt': new TextEncoder().encode('b\\na\\nb\\n') };
const skill = { name: 'a', origin: { kind: 'code', label: 'own', trusted: true } };

export default {
  async fetch() {
    const runner = justBashRunner({ create: (options) => new Bash(options) });
    const digest = await skillDigest(files);
    const run = (given) => runner.run({ skill, files, digest, ...given });
    const script = await run({ script: 'scripts/top.sh', arguments: ['x y; $(id)'] });
    const endless = await run({ command: 'while :; do :; done' });
    const body = 'First: !\`head -1 data.txt\` for $0';
    const expanded = await expandSnippets(body, { runner, skill, files, digest, arguments: 'me' });
    return Response.json({ stdout: script.stdout, exitCode: script.exitCode, endless: endless.exitCode, body: expanded.body });
  },
};`;

it('SRC-3 SRC-10: shell scripts and snippets run in the Workers runtime', async () => {
  const { outputFiles } = await build({
    stdin: { contents: worker, resolveDir: import.meta.dirname, sourcefile: 'worker.mjs' },
    bundle: true,
    write: false,
    format: 'esm',
    minify: true,
    conditions: ['@repertoire/source', 'workerd', 'browser', 'import'],
    external: ['node:*'],
  });
  const runtime = new Miniflare({
    workers: [
      {
        config: {
          name: 'worker',
          compatibilityDate: '2026-11-01',
          // just-bash decompresses with node:zlib.
          compatibilityFlags: ['nodejs_compat'],
          manifest: { mainModule: 'worker.mjs', modules: { 'worker.mjs': { type: 'esm', contents: outputFiles[0]?.text ?? '' } } },
        },
      },
    ],
    cf: false,
    telemetry: { enabled: false },
  });
  try {
    const response = await runtime.dispatchFetch('http://localhost/');
    expect(await response.json(), 'S3-49').toEqual({
      stdout: expect.stringMatching(/^\s+1 a\n\s+2 b\nx y; \$\(id\)\n$/),
      exitCode: 0,
      endless: 126,
      body: 'First: b for me',
    });
  } finally {
    await runtime.dispose();
  }
});
