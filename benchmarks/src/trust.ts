/**
 * Prints what verifying a signed skill costs, beside hashing its files, which is the least that it could cost. Run `pnpm --filter @repertoire/benchmarks trust`.
 *
 * Keys of every kind sign a generated skill; the published skills of `../shared/signed`, with chains of certificates, are measured where they are there.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sha256Hex } from '@repertoire/skills-core/provider';
import { createSkillVerifier, keySigner, signSkill, type SkillFiles, type SkillVerifierOptions } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { median } from './median.ts';

const runs = 101;
const signed = path.resolve(import.meta.dirname, '../../../shared/signed');

const algorithms = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384' },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521' },
  Ed25519: { name: 'Ed25519' },
  'RSA 2048': { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
};

console.log(`A signed skill (medians of ${runs} rounds), in ms: hashing its files, then what is added to that\n`);
console.log('skill'.padEnd(36), ['files', 'hashes', 'first', 'chain known', 'again'].map((title) => title.padStart(12)).join(''));
for (const [kind, algorithm] of Object.entries(algorithms)) {
  const key = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
  const files = new Map<string, Uint8Array>();
  for (let index = 0; index < 12; index += 1) files.set(`references/${index}.md`, new Uint8Array(3_000).fill(index));
  const signature = await signSkill(files, { name: 'generated', signer: keySigner({ key: key.privateKey }) });
  files.set('skill.oms.sig', signature);
  const der = Buffer.from(await crypto.subtle.exportKey('spki', key.publicKey)).toString('base64');
  await measure(`key of ${kind}`, files, { publicKeys: [`-----BEGIN PUBLIC KEY-----\n${der}\n-----END PUBLIC KEY-----\n`] });
}
if (existsSync(signed)) {
  const options = { roots: [readFileSync(path.join(signed, 'nv-agent-root-cert.pem'), 'utf8')], at: new Date('2026-11-21') };
  for (const entry of readdirSync(signed, { withFileTypes: true }))
    if (entry.isDirectory()) await measure(entry.name, await readSkillFolder(path.join(signed, entry.name)), options);
} else {
  console.log(`no published skills: ${signed} is not there`);
}

async function measure(name: string, files: SkillFiles, options: SkillVerifierOptions): Promise<void> {
  const own = [...files].flatMap(([file, bytes]) => (bytes === null || file === 'skill.oms.sig' ? [] : [bytes]));
  const signature = files.get('skill.oms.sig');
  if (signature === null || signature === undefined) return;
  const times = { hashes: [] as number[], first: [] as number[], known: [] as number[], again: [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    times.hashes.push(await timed(() => Promise.all(own.map(sha256Hex))));
    const verifier = createSkillVerifier(options);
    times.first.push(await timed(() => verifier.verifySkill(files)));
    // The same bundle with other white space is another file, by a chain that is known.
    const spaced = new Uint8Array([...signature, 0x0a]);
    times.known.push(await timed(() => verifier.verifySkill(new Map(files).set('skill.oms.sig', spaced))));
    times.again.push(await timed(() => verifier.verifySkill(files)));
  }
  const floor = median(times.hashes);
  const numbers = [floor, ...[times.first, times.known, times.again].map((list) => median(list) - floor)];
  console.log(
    name.padEnd(36),
    [String(own.length), ...numbers.map((number) => number.toFixed(2))].map((text) => text.padStart(12)).join(''),
  );
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
