/** A host that runs one command with an upload, for tests that kill it: `node host-program.ts <confinement> <folder of copies> <command>`. */
import { processRunner } from '@repertoire/skill-runner/process';
import { skillDigest } from '@repertoire/skills-core/provider';
import type { ProcessConfinementKind } from '../../src/process/confinements.ts';

const [confinement, temporaryFolder = '', command = ''] = process.argv.slice(2);
const runner = processRunner({ confinement: confinement as ProcessConfinementKind, requireConfinement: false, temporaryFolder });
const inputs = { 'upload.csv': new TextEncoder().encode('of a customer') };
await runner.run({ skill: { name: 'a', version: null }, files: {}, inputs, digest: await skillDigest({}), command });
