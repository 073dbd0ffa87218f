import { generateKeyPairSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { storageSkillProvider } from '@repertoire/skill-storage';
import { createSkillVerifier, indexVerifier, releaseMemory } from '@repertoire/skill-trust';
import { verifiedProvider } from '@repertoire/skill-trust/provider';
import { describe, expect, it } from 'vitest';
import { certificate, pem, privateKeyPem } from '../../skill-trust/test/support/certificates.ts';
import { folderSkillStore } from '../src/publish/folder-skill-store.ts';
import { openIndexSigner } from '../src/trust/open-index-signer.ts';
import { runCli, type CliOutcome } from './run-cli.ts';
import { skillMd, temporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

const keyPair = (): { privateKey: string; publicKey: string } =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

/** The number of a signed release. */
function numberOf(signature: Uint8Array): number {
  const { dsseEnvelope } = JSON.parse(new TextDecoder().decode(signature)) as { dsseEnvelope: { payload: string } };
  return (JSON.parse(Buffer.from(dsseEnvelope.payload, 'base64').toString()) as { release: number }).release;
}

interface Library {
  readonly folder: TemporaryFolder;
  readonly own: { readonly publicKey: string };
  run(...argv: string[]): Promise<CliOutcome>;
}

/** Two skills, of which the first is signed. */
async function library(): Promise<Library> {
  const [own, other] = [keyPair(), keyPair()];
  const folder = await temporaryFolder({
    'skills/a/SKILL.md': skillMd('a'),
    'skills/a/scripts/run.sh': 'true\n',
    'skills/b/SKILL.md': skillMd('b'),
    'own.pem': own.privateKey,
    'own.pub': own.publicKey,
    'other.pem': other.privateKey,
    'other.pub': other.publicKey,
  });
  const run = (...argv: string[]): Promise<CliOutcome> => runCli(folder.path, argv);
  expect(await run('sign', 'skills/a', '--key', 'own.pem')).toMatchObject({ code: 0 });
  return { folder, own, run };
}

describe('GOV-12: check --signatures', () => {
  it('GOV-12: has a verdict for each skill, offline', async () => {
    const { folder, run } = await library();
    const { code, stdout, stderr } = await run('check', 'skills', '--signatures', '--public-key', 'own.pub');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^Valid skill: skills\/a, signed by the key [0-9a-f]{64}\n2 skills checked, 1 not valid\.\n$/);
    expect(stderr).toBe('Validation failed for skills/b:\n  - signature: unsigned There is no skill.oms.sig.\n');
    const json = JSON.parse((await run('check', 'skills', '--signatures', '--public-key', 'own.pub', '--json')).stdout) as object;
    expect(json).toMatchObject({
      ok: false,
      failed: 1,
      skills: [
        { path: 'skills/a', valid: true, signature: { verified: true, signer: { kind: 'key' }, problems: [] } },
        { path: 'skills/b', valid: false, diagnostics: [], signature: { verified: false, signer: null, problems: [{ code: 'unsigned' }] } },
      ],
    });
    expect(await run('check', 'skills/a', '--signatures', '--public-key', 'other.pub')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('signature: key-unknown'),
    });
    await folder.write({ 'skills/a/scripts/run.sh': 'false\n' });
    expect(await run('check', 'skills/a', '--signatures', '--public-key', 'own.pub')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/signature: file-changed .*scripts\/run\.sh/),
    });
    // Nothing is verified unless it is asked for.
    expect(await run('check', 'skills')).toMatchObject({ code: 0, stdout: expect.not.stringContaining('signed') });
  });

  it.each([
    ['nobody who is trusted', ['check', 'skills', '--signatures'], /whom you trust is yours to say/],
    ['trust without signatures', ['check', 'skills', '--public-key', 'own.pub'], /are for --signatures/],
    ['a publisher who trusts nobody', ['publish', 'skills', '--to', 'out', '--require-signatures'], /whom you trust is yours to say/],
    ['trust without a demand', ['publish', 'skills', '--to', 'out', '--public-key', 'own.pub'], /are for --require-signatures/],
    ['a signed release without a source', ['publish', 'skills', '--to', 'out', '--sign-key', 'own.pem'], /needs --sign-source/],
    ['a source without a key', ['publish', 'skills', '--to', 'out', '--sign-source', 'https://a.example'], /are for --sign-key/],
    ['an acceptance that verify would make', ['lock', 'verify', 'skills', '--accept-signer', 'a'], /is for lock write/],
  ])('GOV-12: exits with 2 for %s', async (_, argv, message) => {
    const { folder, run } = await library();
    expect(await run(...argv)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(await folder.list()).not.toContain('out/current.json');
  });
});

describe('GOV-12: lock', () => {
  it('GOV-12: records who signed each skill, and refuses somebody else until that is accepted', async () => {
    const { folder, own, run } = await library();
    const trust = ['--public-key', 'own.pub', 'other.pub'];
    expect(await run('lock', 'write', 'skills', ...trust)).toMatchObject({ code: 0 });
    const written = await readFile(folder.at('skills.lock.json'), 'utf8');
    const { skills } = JSON.parse(written) as { skills: { signer: { id: string; fingerprint: string } | null }[] };
    expect(skills).toMatchObject([
      { name: 'a', signer: { id: expect.stringMatching(/^key:[0-9a-f]{64}$/), name: expect.stringMatching(/^key /) } },
      { name: 'b', signer: null },
    ]);
    expect(skills[0]?.signer?.id).toBe(`key:${skills[0]?.signer?.fingerprint}`);
    expect(await run('lock', 'verify', 'skills', ...trust)).toMatchObject({ code: 0, stderr: '' });
    expect(await run('lock', 'verify', 'skills')).toMatchObject({ code: 0, stderr: expect.stringContaining('signers-not-verified') });
    expect(await run('lock', 'write', 'skills')).toMatchObject({ code: 2, stderr: expect.stringContaining('says who signed') });

    await run('sign', 'skills/a', '--key', 'other.pem');
    const verified = await run('lock', 'verify', 'skills', ...trust);
    expect(verified).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^~ a: signed by key [0-9a-f]{64}, pinned with key [0-9a-f]{64}, skill\.oms\.sig\n/),
    });
    expect(await run('lock', 'verify', 'skills', '--public-key', 'own.pub')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('signature-refused'),
    });
    const refused = await run('lock', 'write', 'skills', ...trust);
    expect(refused).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^a is signed by key .*, and was signed by key [\s\S]*--accept-signer a\n$/),
    });
    expect(await readFile(folder.at('skills.lock.json'), 'utf8')).toBe(written);
    expect(await run('lock', 'write', 'skills', ...trust, '--accept-signer', 'b')).toMatchObject({ code: 1 });
    expect(await run('lock', 'write', 'skills', ...trust, '--accept-signer', 'a')).toMatchObject({ code: 0 });
    expect(await run('lock', 'verify', 'skills', ...trust)).toMatchObject({ code: 0 });

    // A new version, and no signature any more, are changes of the signer as well.
    await folder.remove('skills/a/skill.oms.sig');
    await folder.write({ 'skills/a/SKILL.md': skillMd('a', 'metadata:\n  version: "2.0.0"') });
    expect(await run('lock', 'write', 'skills', ...trust)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^a is signed by nobody/),
    });
    expect(own.publicKey).toContain('PUBLIC KEY');
  });

  it('GOV-12: a renewed certificate is the same signer with another fingerprint', async () => {
    const [notBefore, notAfter] = [new Date('2020-01-01'), new Date('2120-01-01')];
    const root = await certificate({ name: 'Root', authority: true, notBefore, notAfter });
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'root.pem': pem(root) });
    const run = (...argv: string[]) => runCli(folder.path, argv);
    for (const round of [1, 2]) {
      const signer = await certificate({ name: 'Signing', issuer: root, notBefore, notAfter });
      await folder.write({ 'key.pem': await privateKeyPem(signer), 'chain.pem': pem(signer) });
      await run('sign', 'skills/a', '--key', 'key.pem', '--certificate', 'chain.pem');
      if (round === 2) {
        expect(await run('lock', 'verify', 'skills', '--root', 'root.pem')).toMatchObject({
          code: 1,
          stdout: expect.stringMatching(
            /^~ a: signed by C=US, O=Example, CN=Signing \([0-9a-f]{16}\), pinned with C=US, O=Example, CN=Signing \([0-9a-f]{16}\), /,
          ),
        });
      }
      expect(await run('lock', 'write', 'skills', '--root', 'root.pem')).toMatchObject({ code: 0 });
    }
  });
});

describe('GOV-12: publish', () => {
  it('GOV-12: keeps signatures byte for byte, so that readers verify them', async () => {
    const { folder, own, run } = await library();
    expect(await run('publish', 'skills', '--to', 'out')).toMatchObject({ code: 0 });
    const stored = storageSkillProvider({ store: folderSkillStore(folder.at('out')) });
    const signature = await stored.readResource('a', 'skill.oms.sig');
    expect(Buffer.from(signature?.bytes ?? [])).toEqual(await readFile(folder.at('skills/a/skill.oms.sig')));
    const { skills } = await verifiedProvider(stored, { publicKeys: [own.publicKey] }).listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['a']);
  });

  it('GOV-12: --require-signatures refuses unsigned and changed skills by name, and keeps the signatures of the others', async () => {
    const { folder, own, run } = await library();
    const publish = (...argv: string[]) =>
      run('publish', 'skills', '--to', 'out', '--require-signatures', '--public-key', 'own.pub', ...argv);
    expect(await publish()).toMatchObject({ code: 1, stderr: expect.stringMatching(/The skill "b" is refused \(unsigned\)/) });
    expect((await folder.list()).filter((file) => file.startsWith('out/'))).toEqual([]);
    expect(await publish('--lenient')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 skill;') });
    const stored = storageSkillProvider({ store: folderSkillStore(folder.at('out')) });
    const { skills } = await verifiedProvider(stored, { publicKeys: [own.publicKey] }).listSkills();
    expect(skills.map(({ name }) => name)).toEqual(['a']);
    await folder.write({ 'skills/a/extra.md': 'More.' });
    await run('sign', 'skills/b', '--key', 'own.pem');
    expect(await publish()).toMatchObject({ code: 1, stderr: expect.stringMatching(/"a" is refused \(file-extra\)/) });
  });

  it('GOV-12: two commands that sign at once never give two releases one number (ATK-67)', async () => {
    const { folder } = await library();
    const request = {
      key: 'own.pem',
      certificate: undefined,
      source: 'https://s.example',
      log: 'log.json',
      validDays: 1,
      cwd: folder.path,
    };
    const signers = await Promise.all([openIndexSigner(request), openIndexSigner(request), openIndexSigner(request)]);
    const answers = await Promise.allSettled(signers.map((sign, index) => sign({ digest: String(index).repeat(64) })));
    const numbers = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [numberOf(answer.value)] : []));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers.length).toBeGreaterThan(0);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'source-unavailable' });
    expect(JSON.parse(await readFile(folder.at('log.json'), 'utf8'))).toMatchObject({ release: Math.max(...numbers) });
    // A lock that a killed command left is told of.
    await folder.write({ 'log.json.lock': '' });
    const again = await openIndexSigner(request);
    await expect(again({ digest: 'a'.repeat(64) })).rejects.toThrow('delete log.json.lock');
  });

  it('GOV-12: signs releases, with numbers that go up also after a rollback', async () => {
    const { folder, own, run } = await library();
    const source = 'https://skills.example.com';
    const sign = ['--sign-key', 'own.pem', '--sign-source', source];
    const releases = releaseMemory();
    const names = async (): Promise<string[]> => {
      const verifyIndex = indexVerifier({ verifier: createSkillVerifier({ publicKeys: [own.publicKey] }), source, releases });
      const provider = storageSkillProvider({ store: folderSkillStore(folder.at('out')), verifyIndex });
      return (await provider.listSkills()).skills.map(({ name }) => name);
    };
    expect(await run('publish', 'skills', '--to', 'out', ...sign)).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['a', 'b']);
    await folder.write({ 'skills/c/SKILL.md': skillMd('c') });
    expect(await run('publish', 'skills', '--to', 'out', ...sign, '--valid-days', '1')).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['a', 'b', 'c']);
    expect(await run('publish', '--to', 'out', '--rollback', ...sign)).toMatchObject({ code: 0 });
    expect(await names()).toEqual(['a', 'b']);
    expect(JSON.parse(await readFile(folder.at('skills.release.json'), 'utf8'))).toMatchObject({ source, release: 3 });
    expect(await run('publish', 'skills', '--to', 'out', '--sign-key', 'own.pem', '--sign-source', 'https://other.example')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is about the source "https://skills.example.com"'),
    });
  });
});
