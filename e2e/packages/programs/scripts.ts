/** A script of a skill, run in a thread of its own. */
import { approvedRunner } from '@repertoire/skill-runner';
import { wasmRunner } from '@repertoire/skill-runner/wasm';
import { skillDigest } from '@repertoire/skills-core/provider';

const files = {
  'scripts/add.mjs': new TextEncoder().encode('console.log(process.argv.slice(2).reduce((sum, one) => sum + Number(one), 0));'),
};

export async function answer(): Promise<unknown> {
  const runner = approvedRunner(wasmRunner(), ({ script }) => script === 'scripts/add.mjs');
  const digest = await skillDigest(files);
  const { exitCode, stdout } = await runner.run({
    skill: { name: 'add', version: null },
    files,
    digest,
    script: 'scripts/add.mjs',
    arguments: ['1', '2'],
  });
  return { exitCode, stdout };
}
