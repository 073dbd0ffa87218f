import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSkillVerifier, signSkill, type SkillFiles } from '../src/index.ts';
import { keylessSigner, sigstoreVerifier } from '../src/sigstore.ts';
import { verifiedProvider } from '../src/provider.ts';
import { folderSource } from './support/folder-source.ts';
import { bytes, editBundle, publisher, signatureName, skillFiles, verdict } from './support/signed-skills.ts';
import { githubIssuer, sigstoreServices, workflowToken, type SigstoreServices } from './support/sigstore-services.ts';

const workflow = 'https://github.com/acme/skills/.github/workflows/release.yml@refs/heads/main';

let services: SigstoreServices;
let signed: SkillFiles;
beforeAll(async () => {
  services = await sigstoreServices();
  signed = await sign(skillFiles());
});
afterAll(async () => await services[Symbol.asyncDispose]());

async function sign(files: SkillFiles, identityToken = workflowToken(workflow)): Promise<SkillFiles> {
  const { fulcioUrl, rekorUrl } = services;
  // The log of the test package cannot make entries of the other kind.
  const signer = keylessSigner({ identityToken, fulcioUrl, rekorUrl, entryType: 'intoto' });
  return new Map([...files, [signatureName, await signSkill(files, { name: 'billing', signer })]]);
}

const verifier = (trustedRoot = services.trustedRoot) => createSkillVerifier({ keyless: sigstoreVerifier({ trustedRoot }) });

describe('GOV-12: keyless signatures', () => {
  it('what a workflow signs verifies offline, and names the workflow and who confirmed it', async () => {
    expect(await verifier().verifySkill(signed)).toMatchObject({
      verified: true,
      signer: { kind: 'keyless', identity: workflow, issuer: githubIssuer },
      statement: { name: 'billing' },
    });
    expect(await verdict(verifier(JSON.parse(JSON.stringify(services.trustedRoot))), signed)).toBe('verified');
  });

  it('files, payload, log entry and root have to be the right ones', async () => {
    expect(await verdict(verifier(), new Map(signed).set('SKILL.md', bytes('x')))).toBe('file-changed SKILL.md');
    const change = async (edit: Parameters<typeof editBundle>[1]): Promise<string> =>
      await verdict(verifier(), new Map(signed).set(signatureName, editBundle(signed.get(signatureName), edit)));
    expect(await change((bundle) => void (bundle.dsseEnvelope.payload = btoa('{}')))).toBe('keyless-invalid');
    expect(await change((bundle) => void (bundle.verificationMaterial['tlogEntries'] = []))).toBe('keyless-invalid');
    expect(await change((bundle) => void (bundle.verificationMaterial['certificate'] = { rawBytes: 'AAAA' }))).toBe('keyless-invalid');
    expect(await change((bundle) => void (bundle.dsseEnvelope.payloadType = 'text/plain'))).toBe('payload-type');
    const others = await sigstoreServices();
    expect(await verdict(verifier(others.trustedRoot), signed)).toBe('keyless-invalid');
    await others[Symbol.asyncDispose]();
  });

  it('nobody is trusted for a certificate alone: a host names the identity and the issuer', async () => {
    const stranger = await sign(
      skillFiles(),
      workflowToken('https://github.com/evil/acme/skills/.github/workflows/release.yml@refs/heads/main'),
    );
    await using source = await folderSource({ billing: signed });
    const keyless = sigstoreVerifier({ trustedRoot: services.trustedRoot });
    const names = async (options: Partial<Parameters<typeof verifiedProvider>[1]> = {}): Promise<string[]> =>
      (await verifiedProvider(source.provider, { keyless, ...options }).listSkills()).skills.map(({ name }) => name);
    const rule = { identity: workflow, issuer: githubIssuer };
    expect(await names()).toEqual([]);
    expect(await names({ require: [rule] })).toEqual(['billing']);
    expect(await names({ require: [{ ...rule, identity: 'https://github.com/acme/skills' }] })).toEqual([]);
    expect(await names({ require: [{ ...rule, issuer: 'https://accounts.example.com' }] })).toEqual([]);
    await source.put('billing', stranger);
    expect(await names({ require: [rule] })).toEqual([]);
  });

  it('a certificate whose issuer is empty names nobody, so it is refused also where no rule asks for one', async () => {
    expect(await verdict(verifier(), await sign(skillFiles(), workflowToken(workflow, '')))).toBe('keyless-invalid');
  });

  it('verifies chains and keyless signatures side by side', async () => {
    const own = await publisher();
    const both = own.verifier({ keyless: sigstoreVerifier({ trustedRoot: services.trustedRoot }) });
    expect(await verdict(both, signed)).toBe('verified');
    expect(await verdict(both, await own.sign(skillFiles()))).toBe('verified');
    expect(await verdict(own.verifier(), signed)).toBe('keyless-unsupported');
  });

  it('tells what is wrong with a root, a token or a service', async () => {
    for (const trustedRoot of ['no JSON', {}, null, { tlogs: 1 }, { ...(services.trustedRoot as object), tlogs: [] }])
      expect(() => sigstoreVerifier({ trustedRoot })).toThrow(expect.objectContaining({ code: 'invalid-options' }));
    const misspelt = { trustedRoot: services.trustedRoot, logEntry: 2 };
    expect(() => sigstoreVerifier(misspelt)).toThrow('sigstoreVerifier has no option "logEntry"');
    await expect(sign(skillFiles(), 'no token')).rejects.toMatchObject({ code: 'source-unavailable' });
  });
});
