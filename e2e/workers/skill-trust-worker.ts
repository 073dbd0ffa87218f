import { createSkillVerifier, keySigner, signSkill, type SkillFiles, type SkillVerifierOptions } from '@repertoire/skill-trust';
import { verifiedProvider } from '@repertoire/skill-trust/provider';
import type { SkillProvider } from '@repertoire/skills-core';
import { mediaTypeOf } from '@repertoire/skills-core/provider';

/** A skill as JSON: the bytes of its files in base64. */
export interface SkillRequest {
  readonly files: Readonly<Record<string, string>>;
  readonly roots: readonly string[];
  /** Milliseconds. */
  readonly at: number;
}

const algorithms = {
  'P-256': { name: 'ECDSA', namedCurve: 'P-256' },
  'P-384': { name: 'ECDSA', namedCurve: 'P-384' },
  'P-521': { name: 'ECDSA', namedCurve: 'P-521' },
  Ed25519: { name: 'Ed25519' },
  RSA: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256', modulusLength: 2048, publicExponent: new Uint8Array([1, 0, 1]) },
};

const encoder = new TextEncoder();
const bytesOf = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
const filesOf = ({ files }: SkillRequest): Map<string, Uint8Array> =>
  new Map(Object.entries(files).map(([path, text]) => [path, bytesOf(text)]));
const optionsOf = ({ roots, at }: SkillRequest): SkillVerifierOptions => ({ roots, at: new Date(at) });

/** What is said of a skill: the signer, or the codes of the problems. */
async function verdict(files: SkillFiles, options: SkillVerifierOptions): Promise<string> {
  const result = await createSkillVerifier(options).verifySkill(files);
  return result.verified
    ? result.signer.id
    : result.problems.map(({ code, path }) => (path === undefined ? code : `${code} ${path}`)).join('; ');
}

/** Signs with keys that this runtime makes, and verifies; then with one byte changed. */
async function signHere(): Promise<Record<string, string>> {
  const said: Record<string, string> = {};
  for (const [kind, algorithm] of Object.entries(algorithms)) {
    const key = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair;
    const pem = (bytes: ArrayBuffer, label: string): string =>
      `-----BEGIN ${label}-----\n${btoa(String.fromCharCode(...new Uint8Array(bytes)))}\n-----END ${label}-----\n`;
    const publicKeys = [pem(await crypto.subtle.exportKey('spki', key.publicKey), 'PUBLIC KEY')];
    const files = new Map<string, Uint8Array>([['SKILL.md', encoder.encode('---\nname: a\ndescription: b\n---\n')]]);
    const signer = keySigner({ key: pem(await crypto.subtle.exportKey('pkcs8', key.privateKey), 'PRIVATE KEY') });
    files.set('skill.oms.sig', await signSkill(files, { name: 'a', signer }));
    const good = await verdict(files, { publicKeys });
    const bad = await verdict(files.set('SKILL.md', encoder.encode('x')), { publicKeys });
    said[kind] = `${good.slice(0, 4)}, ${bad}`;
  }
  return said;
}

/** Lists and loads the skill by the provider, over a source in memory. */
async function serve(request: SkillRequest, name: string): Promise<unknown> {
  const files = filesOf(request);
  const metadata = { name, description: 'What the source says.', version: null };
  const source: SkillProvider = {
    label: 'memory',
    listSkills: async () => ({ skills: [metadata], diagnostics: [], complete: true }),
    getSkill: async (asked) => (asked === name ? { ...metadata, body: '', resources: [], diagnostics: [] } : null),
    readResource: async (_name, path, { maxBytes } = {}) => {
      const bytes = files.get(path);
      return bytes === undefined ? null : { path, bytes: bytes.slice(0, maxBytes), size: bytes.length, mediaType: mediaTypeOf(path) };
    },
  };
  const provider = verifiedProvider(source, optionsOf(request));
  const { skills, diagnostics } = await provider.listSkills();
  const skill = skills.length === 0 ? null : await provider.getSkill(name);
  return {
    descriptions: skills.map(({ description }) => description),
    codes: diagnostics.map(({ code }) => code),
    files: skill?.resources.length ?? 0,
  };
}

export default {
  async fetch(request: Request): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/sign') return Response.json(await signHere());
    const skill = (await request.json()) as SkillRequest;
    if (pathname === '/verify') return Response.json(await verdict(filesOf(skill), optionsOf(skill)));
    return Response.json(await serve(skill, searchParams.get('name') ?? ''));
  },
};
