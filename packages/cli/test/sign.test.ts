import { generateKeyPairSync } from 'node:crypto';
import { readFile, symlink } from 'node:fs/promises';
import { createSkillVerifier } from '@repertoire/skill-trust';
import { readSkillFolder } from '@repertoire/skill-trust/node';
import { sigstoreVerifier } from '@repertoire/skill-trust/sigstore';
import { describe, expect, it } from 'vitest';
import { certificate, pem, privateKeyPem } from '../../skill-trust/test/support/certificates.ts';
import { sigstoreServices, workflowToken } from '../../skill-trust/test/support/sigstore-services.ts';
import { runCli } from './run-cli.ts';
import { skillMd, temporaryFolder } from './temporary-folder.ts';

const keyPair = (): { privateKey: string; publicKey: string } =>
  generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });

describe('AUT-1: sign and verify', () => {
  it('AUT-1: a key signs a skill, and every change of it is refused', async () => {
    const own = keyPair();
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('a'),
      'skills/a/scripts/run.sh': 'true\n',
      'own.pem': own.privateKey,
      'own.pub': own.publicKey,
      'other.pub': keyPair().publicKey,
    });
    const run = (...argv: string[]) => runCli(folder.path, argv);
    expect(await run('sign', 'skills/a', '--key', 'own.pem')).toMatchObject({
      code: 0,
      stdout: 'Wrote skills/a/skill.oms.sig: a, 2 files.\n',
    });
    expect(await run('verify', 'skills', '--public-key', 'other.pub', 'own.pub')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^verified skills\/a: signed by the key [0-9a-f]{64}\n$/),
    });
    // Signing again signs the same files, without the signature.
    expect(await run('sign', 'skills/a', '--key', 'own.pem')).toMatchObject({ code: 0, stdout: expect.stringContaining('2 files') });
    expect(await run('verify', 'skills/a', '--public-key', 'other.pub')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^refused skills\/a\n {2}\S+ /),
    });
    await folder.write({ 'skills/a/scripts/run.sh': 'false\n', 'skills/b/SKILL.md': skillMd('b') });
    const changed = await run('verify', 'skills', '--public-key', 'own.pub', '--json');
    expect(changed.code).toBe(1);
    expect(JSON.parse(changed.stdout)).toMatchObject({
      ok: false,
      checked: 2,
      failed: 2,
      skills: [
        { path: 'skills/a', verified: false, signer: null, problems: [{ message: expect.stringContaining('scripts/run.sh') }] },
        { path: 'skills/b', verified: false },
      ],
    });
  });

  it('AUT-1: writes a signature over a signature, and over nothing else, and through no link (ATK-56)', async () => {
    const own = keyPair();
    const folder = await temporaryFolder({
      'skills/a/SKILL.md': skillMd('a'),
      'skills/a/data.json': '{}\n',
      'own.pem': own.privateKey,
      'victim.txt': 'mine\n',
    });
    const sign = (name: string) => runCli(folder.path, ['sign', 'skills/a', '--key', 'own.pem', '--name', name]);
    for (const name of ['SKILL.md', 'skill.md', 'data.json', 'DATA.json', '../victim.txt', '.git', 'scripts/x.sig', ''])
      expect(await sign(name), name).toMatchObject({ code: 2, stderr: expect.stringMatching(/Give another name|Give a file name/) });
    await symlink(folder.at('victim.txt'), folder.at('skills/a/linked.sig'));
    expect(await sign('linked.sig')).toMatchObject({ code: 2 });
    expect(await readFile(folder.at('victim.txt'), 'utf8')).toBe('mine\n');
    expect(await readFile(folder.at('skills/a/SKILL.md'), 'utf8')).toBe(skillMd('a'));
  });

  it('AUT-1: a certificate signs, and whoever trusts its root can verify', async () => {
    const [notBefore, notAfter] = [new Date('2020-01-01'), new Date('2120-01-01')];
    const root = await certificate({ name: 'Root', authority: true, notBefore, notAfter });
    const signer = await certificate({ name: 'Signing', issuer: root, notBefore, notAfter });
    const stranger = await certificate({ name: 'Stranger', authority: true, notBefore, notAfter });
    const folder = await temporaryFolder({
      'a/SKILL.md': skillMd('a'),
      'key.pem': await privateKeyPem(signer),
      'chain.pem': pem(signer),
      'root.pem': pem(root),
      'stranger.pem': pem(stranger),
    });
    const run = (...argv: string[]) => runCli(folder.path, argv);
    expect(await run('sign', 'a', '--key', 'key.pem', '--certificate', 'chain.pem')).toMatchObject({ code: 0 });
    expect(await run('verify', 'a', '--root', 'root.pem')).toMatchObject({
      code: 0,
      stdout: 'verified a: signed by C=US, O=Example, CN=Signing\n',
    });
    expect(await run('verify', 'a', '--root', 'stranger.pem')).toMatchObject({ code: 1 });
    expect(await run('sign', 'a', '--key', 'key.pem', '--certificate', 'stranger.pem')).toMatchObject({ code: 2 });
  });

  it.each([
    ['no trust', ['verify', 'a'], /whom you trust is yours to say/],
    [
      'a key that is not there',
      ['sign', 'a', '--key', 'none.pem'],
      /--key names "none\.pem", which cannot be read\. There is no such file/,
    ],
    ['a key that is none', ['sign', 'a', '--key', 'a/SKILL.md'], /error invalid-options/],
    ['a folder of several skills', ['sign', '.', '--key', 'none.pem'], /is not the folder of one skill/],
    ['no key', ['sign', 'a'], /nothing to sign with/],
  ])('AUT-1: exits with 2 for %s', async (_, argv, message) => {
    const folder = await temporaryFolder({ 'a/SKILL.md': skillMd('a'), 'b/SKILL.md': skillMd('b') });
    expect(await runCli(folder.path, argv)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
  });

  it('AUT-1, GOV-12: a CI run signs by its identity, and what signs with nothing is told', async () => {
    await using services = await sigstoreServices();
    const workflow = 'https://github.com/acme/skills/.github/workflows/release.yml@refs/heads/main';
    const folder = await temporaryFolder({ 'skills/a/SKILL.md': skillMd('a'), 'own.pem': keyPair().privateKey });
    const keyless = ['--keyless', '--fulcio-url', services.fulcioUrl, '--rekor-url', services.rekorUrl, '--rekor-entry', 'intoto'];
    expect(
      await runCli(folder.path, ['sign', 'skills/a', ...keyless], { env: { SIGSTORE_ID_TOKEN: workflowToken(workflow) } }),
    ).toMatchObject({
      code: 0,
      stdout: 'Wrote skills/a/skill.oms.sig: a, 1 file.\n',
    });
    const verifier = createSkillVerifier({ keyless: sigstoreVerifier({ trustedRoot: services.trustedRoot }) });
    const verdict = await verifier.verifySkill(await readSkillFolder(folder.at('skills/a')));
    expect(verdict).toMatchObject({ verified: true, signer: { kind: 'keyless', identity: workflow } });
    expect(await runCli(folder.path, ['sign', 'skills/a'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--keyless') });
    expect(await runCli(folder.path, ['sign', 'skills/a', '--keyless', '--key', 'own.pem'])).toMatchObject({ code: 2 });
  });
});
