import { beforeAll, describe, expect, it } from 'vitest';
import { createSkillVerifier, keySigner, signSkill, type SkillVerifierOptions } from '../src/index.ts';
import { generateKeys, publicKeyPem } from './support/certificates.ts';
import {
  bytes,
  editBundle,
  publisher,
  signatureName,
  skillFiles,
  text,
  verdict,
  type Publisher,
  type WrittenBundle,
} from './support/signed-skills.ts';

const type = 'application/vnd.in-toto+json';

let publicKey = '';
let keys: CryptoKeyPair;
let own: Publisher;
beforeAll(async () => {
  keys = await generateKeys('P-256');
  publicKey = await publicKeyPem({ keys });
  own = await publisher();
});

interface Statement {
  _type: unknown;
  subject: { name: unknown; digest: Record<string, unknown> }[];
  predicateType: unknown;
  predicate: { serialization: Record<string, unknown>; resources: Record<string, unknown>[] };
}

/** The statement over the small skill, as our own signer writes made. */
async function statement(): Promise<Statement> {
  const bundle = JSON.parse(text((await own.sign(skillFiles())).get(signatureName))) as WrittenBundle;
  return JSON.parse(atob(bundle.dsseEnvelope.payload)) as Statement;
}

/** What is said of a statement that was changed before it was signed, by a key that the host trusts. */
async function judge(edit: (made: Statement) => unknown, options: SkillVerifierOptions = {}): Promise<string> {
  const written = await statement();
  return await judgeText(JSON.stringify(edit(written) ?? written), options);
}

async function judgeText(payload: string | Uint8Array, options: SkillVerifierOptions = {}, payloadType = type): Promise<string> {
  const signature = await keySigner({ key: keys.privateKey }).sign(payloadType, typeof payload === 'string' ? bytes(payload) : payload);
  return await verdict(createSkillVerifier({ publicKeys: [publicKey], ...options }), skillFiles().set(signatureName, signature));
}

/** Makes the digest of the subject fit the resources again, so that nothing but the edit is wrong. */
async function withSubject(written: Statement): Promise<Statement> {
  const digests = written.predicate.resources.map(({ digest }) => Buffer.from(String(digest), 'hex'));
  written.subject[0]!.digest['sha256'] = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.concat(digests))).toString('hex');
  return written;
}

describe('GOV-12: signed statements that are not what the format prescribes', () => {
  it('verify where nothing is changed, also in another order of the list', async () => {
    expect(await judge(() => undefined)).toBe('verified');
    expect(await judgeText(JSON.stringify(await statement(), null, 2))).toBe('verified');
    const reversed = await statement();
    reversed.predicate.resources.reverse();
    expect(await judgeText(JSON.stringify(reversed))).toBe('subject-mismatch');
    expect(await judgeText(JSON.stringify(await withSubject(reversed)))).toBe('verified');
  });

  it.each<[string, string, (made: Statement) => unknown]>([
    ['another statement type', 'statement-unsupported', (made) => ({ ...made, _type: 'https://in-toto.io/Statement/v0.1' })],
    ['another predicate type', 'statement-unsupported', (made) => void (made.predicateType = 'https://model_signing/Digests/v0.1')],
    ['a method with shards', 'statement-unsupported', (made) => void (made.predicate.serialization['method'] = 'shards')],
    ['a size of shards', 'statement-unsupported', (made) => void (made.predicate.serialization['shard_size'] = 1000)],
    ['another hash', 'statement-unsupported', (made) => void (made.predicate.serialization['hash_type'] = 'blake2b')],
    ['symbolic links', 'statement-unsupported', (made) => void (made.predicate.serialization['allow_symlinks'] = true)],
    ['an unknown field', 'statement-malformed', (made) => ({ ...made, more: 1 })],
    ['an unknown field of the predicate', 'statement-malformed', (made) => ({ ...made, predicate: { ...made.predicate, more: 1 } })],
    ['two subjects', 'statement-malformed', (made) => void made.subject.push(made.subject[0]!)],
    ['a subject without a digest', 'statement-malformed', (made) => void (made.subject[0]!.digest = {})],
    ['a digest of the subject in upper case', 'statement-malformed', (made) => void (made.subject[0]!.digest['sha256'] = 'A'.repeat(64))],
    ['another digest of the subject', 'subject-mismatch', (made) => void (made.subject[0]!.digest['sha256'] = 'a'.repeat(64))],
    ['no files', 'statement-malformed', (made) => void (made.predicate.resources = [])],
    [
      'another algorithm of one file',
      'statement-malformed SKILL.md',
      (made) => void (made.predicate.resources[0]!['algorithm'] = 'blake2b'),
    ],
    ['a short digest', 'statement-malformed SKILL.md', (made) => void (made.predicate.resources[0]!['digest'] = 'ab')],
    ['a list in place of an object', 'statement-malformed', () => []],
    ['null', 'statement-malformed', () => 0],
  ])('%s: %s', async (_name, expected, edit) => {
    expect(await judge(edit)).toBe(expected);
  });

  it.each(['../SKILL.md', 'a/../b', '/etc/passwd', './a', 'a//b', 'a/', '', 'a\\b', 'a\0b', '\ud800', 7, null, 'x'.repeat(2000)])(
    'a file under the name %j is refused',
    async (name) => {
      expect(await judge((made) => void (made.predicate.resources[1]!['name'] = name))).toBe('file-name');
    },
  );

  it.each(['SKILL.md', 'skill.md', 'Skill.MD'])('a second file under the name %s is refused', async (name) => {
    expect(await judge((made) => void (made.predicate.resources[1]!['name'] = name))).toBe(`file-duplicate ${name}`);
  });

  it('names that differ in Unicode form only are refused', async () => {
    const edit = (made: Statement): void => {
      made.predicate.resources[0]!['name'] = 'u\u0308.md';
      made.predicate.resources[1]!['name'] = '\u00fc.md';
    };
    expect(await judge(edit)).toBe('file-duplicate \u00fc.md');
  });

  it('however many paths a signer excluded, the message names a few', async () => {
    const written = await statement();
    written.predicate.serialization['ignore_paths'] = Array.from({ length: 5_000 }, (_, index) => `${'folder'.repeat(10)}${index % 40}`);
    const signature = await keySigner({ key: keys.privateKey }).sign(type, bytes(JSON.stringify(written)));
    const result = await createSkillVerifier({ publicKeys: [publicKey] }).verifySignature(signature);
    const messages = result.verified ? [] : result.problems.map(({ message }) => message);
    expect(messages).toEqual([expect.stringContaining(' and 30 more from the signature')]);
    expect(messages[0]?.length).toBeLessThan(2_000);
  });

  it('what a signer excluded is refused unless the host allows it', async () => {
    const exclude = (path: unknown) => (made: Statement) => void (made.predicate.serialization['ignore_paths'] = [path]);
    expect(await judge(exclude('references'))).toBe('ignored-paths');
    expect(await judge(exclude('references'), { allowIgnored: ['references'] })).toBe('verified');
    expect(await judge(exclude('.github'))).toBe('verified');
    expect(await judge(exclude(signatureName))).toBe('verified');
    expect(await judge(exclude('../x'))).toBe('statement-malformed');
    expect(await judge((made) => void delete made.predicate.serialization['ignore_paths'])).toBe('verified');
  });

  it('a file that is signed although it could be ignored has to be there, unchanged', async () => {
    const judgeListed = async (content: string): Promise<string> => {
      const written = await statement();
      const sha256 = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(content))).toString('hex');
      written.predicate.resources.push({ name: '.gitignore', algorithm: 'sha256', digest: sha256 });
      const signature = await keySigner({ key: keys.privateKey }).sign(type, bytes(JSON.stringify(await withSubject(written))));
      const files = skillFiles().set(signatureName, signature).set('.gitignore', bytes('x'));
      return await verdict(createSkillVerifier({ publicKeys: [publicKey] }), files);
    };
    expect(await judgeListed('x')).toBe('verified');
    expect(await judgeListed('y')).toBe('file-changed .gitignore');
  });

  it('is read by one rule only: no key twice, strict UTF-8, bounded in depth', async () => {
    const json = JSON.stringify(await statement());
    expect(await judgeText(json.replace('{', '{"_type":"other",'))).toBe('statement-malformed');
    expect(await judgeText(json.replace('{', '{"\\u005ftype":"other",'))).toBe('statement-malformed');
    expect(await judgeText(`\uFEFF${json}`)).toBe('statement-malformed');
    expect(await judgeText(new Uint8Array([0x22, 0xff, 0x22]))).toBe('statement-malformed');
    expect(await judgeText('['.repeat(300_000))).toBe('statement-malformed');
    expect(await judgeText('{"a":'.repeat(100_000))).toBe('statement-malformed');
    expect(await judgeText(`{${'"a":1,'.repeat(50_000)}"b":1}`)).toBe('statement-malformed');
    expect(await judgeText(`"${'\\'.repeat(500_000)}`)).toBe('statement-malformed');
    expect(await judgeText(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toBe('statement-malformed');
    const deep = bytes(`{"mediaType":${'['.repeat(33)}${']'.repeat(33)}}`);
    expect(await own.verifier().verifySignature(deep)).toMatchObject({
      problems: [{ message: expect.stringContaining('nested deeper than 32 levels') }],
    });
    expect(await judgeText('')).toBe('bundle-malformed');
    expect(await judgeText('{')).toBe('statement-malformed');
  });

  it('a signature over another type of payload is not one over a skill', async () => {
    const json = JSON.stringify(await statement());
    expect(await judgeText(json, {}, 'application/json')).toBe('payload-type');
    const signature = await keySigner({ key: keys.privateKey }).sign('application/json', bytes(json));
    const relabelled = editBundle(signature, (bundle) => void (bundle.dsseEnvelope.payloadType = type));
    expect(await verdict(createSkillVerifier({ publicKeys: [publicKey] }), skillFiles().set(signatureName, relabelled))).toBe(
      'signature-invalid',
    );
  });

  it('is bounded: statements and signature files beyond their limits are refused', async () => {
    expect(await judge(() => undefined, { maxFiles: 3 })).toBe('statement-too-large');
    expect(await judge(() => undefined, { maxSignatureBytes: 500 })).toBe('bundle-too-large');
    const many = await statement();
    many.predicate.resources = Array.from({ length: 9000 }, (_, index) => ({
      name: `f${index}`,
      algorithm: 'sha256',
      digest: 'a'.repeat(64),
    }));
    expect(await judgeText(JSON.stringify(many))).toBe('bundle-too-large');
    expect(await judgeText(JSON.stringify(many), { maxSignatureBytes: 10_000_000 })).toBe('subject-mismatch');
  });
});

describe('GOV-12: signature files that are not what the format prescribes', () => {
  const change = async (edit: (bundle: WrittenBundle) => unknown): Promise<string> => {
    const files = await own.sign(skillFiles());
    return await verdict(own.verifier(), files.set(signatureName, editBundle(files.get(signatureName), edit)));
  };

  it.each<[string, string, (bundle: WrittenBundle) => unknown]>([
    ['another version', 'bundle-unsupported', (made) => void (made.mediaType = 'application/vnd.dev.sigstore.bundle+json;version=0.2')],
    ['an unknown field', 'bundle-malformed', (made) => ({ ...made, more: 1 })],
    ['an unknown field of the envelope', 'bundle-malformed', (made) => ({ ...made, dsseEnvelope: { ...made.dsseEnvelope, more: 1 } })],
    ['a message signature', 'bundle-malformed', (made) => ({ ...made, messageSignature: {} })],
    ['two signatures', 'bundle-malformed', (made) => void made.dsseEnvelope.signatures.push(made.dsseEnvelope.signatures[0]!)],
    ['no signature', 'bundle-malformed', (made) => void (made.dsseEnvelope.signatures = [])],
    ['a key identifier', 'bundle-malformed', (made) => void (made.dsseEnvelope.signatures[0]!.keyid = 'k')],
    [
      'fields that are null',
      'verified',
      (made) => ({
        ...made,
        messageSignature: null,
        verificationMaterial: { ...made.verificationMaterial, certificate: null, publicKey: null, timestampVerificationData: null },
      }),
    ],
    ['empty timestamps', 'verified', (made) => void (made.verificationMaterial['timestampVerificationData'] = {})],
    ['no certificates', 'bundle-malformed', (made) => void (made.verificationMaterial.x509CertificateChain.certificates = [])],
    ['a chain and a key', 'bundle-malformed', (made) => void (made.verificationMaterial['publicKey'] = { hint: 'a'.repeat(64) })],
    ['neither a chain nor a key', 'bundle-malformed', (made) => ({ ...made, verificationMaterial: { tlogEntries: [] } })],
    ['a log entry that nobody checks', 'bundle-unsupported', (made) => void (made.verificationMaterial['tlogEntries'] = [{}])],
    [
      'timestamps that nobody checks',
      'bundle-unsupported',
      (made) => void (made.verificationMaterial['timestampVerificationData'] = { rfc3161Timestamps: [{}] }),
    ],
    [
      'a Fulcio certificate',
      'keyless-unsupported',
      (made) => ({ ...made, verificationMaterial: { certificate: { rawBytes: 'AA==' }, tlogEntries: [{}] } }),
    ],
    ['an empty payload', 'bundle-malformed', (made) => void (made.dsseEnvelope.payload = '')],
    ['base64 with white space', 'bundle-malformed', (made) => void (made.dsseEnvelope.payload = ` ${made.dsseEnvelope.payload}`)],
    ['base64 for URLs', 'bundle-malformed', (made) => void (made.dsseEnvelope.payload = '-_-_')],
    ['base64 with spare bits', 'bundle-malformed', (made) => void (made.dsseEnvelope.payload = 'QR==')],
    ['another payload', 'signature-invalid', (made) => void (made.dsseEnvelope.payload = btoa('{}'))],
    ['a signature of another size', 'signature-invalid', (made) => void (made.dsseEnvelope.signatures[0]!.sig = btoa('0'.repeat(64)))],
    [
      'PEM in place of DER',
      'certificate-malformed',
      (made) => void (made.verificationMaterial.x509CertificateChain.certificates[0]!.rawBytes = btoa('-----BEGIN')),
    ],
  ])('%s: %s', async (_name, expected, edit) => {
    expect(await change(edit)).toBe(expected);
  });

  it('no signature, or a link in its place, is told apart from a wrong one', async () => {
    expect(await verdict(own.verifier(), skillFiles())).toBe(`unsigned ${signatureName}`);
    expect(await verdict(own.verifier(), skillFiles().set(signatureName, null))).toBe(`file-irregular ${signatureName}`);
    expect(await verdict(own.verifier(), skillFiles().set(signatureName, new Uint8Array()))).toBe('bundle-malformed');
  });
});

describe('GOV-12: files against the statement', () => {
  it('a file more, less, renamed or of another skill is refused by name', async () => {
    const signed = await own.sign(skillFiles());
    const without = new Map(signed);
    without.delete('scripts/run.sh');
    expect(await verdict(own.verifier(), without)).toBe('file-missing scripts/run.sh');
    expect(await verdict(own.verifier(), new Map(signed).set('agents/openai.yaml', bytes('')))).toBe('file-extra agents/openai.yaml');
    expect(await verdict(own.verifier(), new Map(without).set('scripts/RUN.sh', bytes('echo run\n')))).toBe(
      'file-extra scripts/RUN.sh; file-missing scripts/run.sh',
    );
    const other = await own.sign(skillFiles('refunds'), 'refunds');
    expect(await verdict(own.verifier(), new Map(signed).set(signatureName, other.get(signatureName)!))).toBe('file-changed SKILL.md');
    // Two files that changed places have the same digests.
    const swapped = new Map(signed)
      .set('scripts/run.sh', signed.get('references/policy.md')!)
      .set('references/policy.md', signed.get('scripts/run.sh')!);
    expect(await verdict(own.verifier(), swapped)).toBe('file-changed references/policy.md; file-changed scripts/run.sh');
  });

  it('what is ignored counts at the top level only', async () => {
    const signed = await own.sign(skillFiles());
    const ignored = new Map(signed)
      .set('.gitignore', bytes('x'))
      .set('.github/workflows/ci.yml', bytes('x'))
      .set('.git/config', bytes('x'));
    expect(await verdict(own.verifier(), ignored)).toBe('verified');
    expect(await verdict(own.verifier(), new Map(signed).set('references/.gitignore', bytes('x')))).toBe(
      'file-extra references/.gitignore',
    );
    expect(await verdict(own.verifier(), new Map(signed).set('.gitmodules', bytes('x')))).toBe('file-extra .gitmodules');
    expect(await verdict(own.verifier(), new Map(signed).set(`references/${signatureName}`, bytes('x')))).toBe(
      `file-extra references/${signatureName}`,
    );
  });

  it('nothing is ignored by a name that leads elsewhere (ATK-61)', async () => {
    const signed = await own.sign(skillFiles());
    for (const name of [
      '.git/../scripts/run.sh',
      '.github/../SKILL.md',
      '.git/../../../etc/cron.d/x',
      '.git//x',
      '.git/./x',
      '.git/a\\..\\b',
    ])
      expect(await verdict(own.verifier(), new Map(signed).set(name, bytes('evil'))), name).toMatch(/^file-extra /);
  });

  it('a signature file never has the name of the instructions, or of what is never signed (ATK-62)', async () => {
    const publicKeys = [await publicKeyPem({ keys: await generateKeys('P-256') })];
    for (const name of ['SKILL.md', 'skill.MD', '.git', '.github', '', 'a/b', '..']) {
      expect(() => createSkillVerifier({ publicKeys, signatureName: name }), name).toThrow(/signatureName/);
      await expect(
        signSkill(skillFiles(), { name: 'billing', signer: { sign: own.signPayload }, signatureName: name }),
        name,
      ).rejects.toMatchObject({ code: 'invalid-options' });
    }
  });

  it('what a caller does to a result changes no later one', async () => {
    const signed = await own.sign(skillFiles());
    const verifier = own.verifier();
    const first = await verifier.verifySkill(signed);
    if (!first.verified) throw new Error('refused');
    (first.statement.files as Map<string, string>).set('agents/openai.yaml', 'x').delete('SKILL.md');
    expect(() => Object.assign(first.signer, { subject: 'CN=Somebody else' })).toThrow(TypeError);
    expect(await verdict(verifier, signed)).toBe('verified');
    expect(await verdict(verifier, new Map(signed).set('SKILL.md', bytes('changed')))).toBe('file-changed SKILL.md');
  });
});
