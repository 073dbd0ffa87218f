// Runs scripts one after another in the confinement of its first argument, while this process holds descriptors that it inherited.
import { processRunner } from '@repertoire/skill-runner/process';
import { skillDigest } from '@repertoire/skills-core/provider';

const [confinement, ...scripts] = process.argv.slice(2);
const runner = processRunner({ confinement, requireConfinement: confinement !== 'none', timeoutMs: 60_000, onDiagnostic: () => {} });
const skill = { name: 'look', description: 'Looks.', version: null, body: '', resources: [], diagnostics: [] };
for (const script of scripts) {
  const files = { 'SKILL.md': new TextEncoder().encode('x'), look: new TextEncoder().encode(script) };
  const {
    stdout,
    stderr,
    exitCode,
    confinement: held,
  } = await runner.run({ skill, files, digest: await skillDigest(files), script: 'look' });
  console.log(JSON.stringify({ stdout, stderr, exitCode, holds: held.holds }));
}
