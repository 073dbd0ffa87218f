import type { R2Bucket } from '@cloudflare/workers-types';
import { httpSkillProvider } from '@repertoire/skill-http';
import { createSkillsHandler } from '@repertoire/skill-http/server';
import { publishSkillsToStorage, r2SkillStore, storageSkillProvider } from '@repertoire/skill-storage';
import { createSkillVerifier, indexSigner, indexVerifier, keySigner, releaseMemory, type LastRelease } from '@repertoire/skill-trust';
import { SkillError, SkillRegistry, type SkillProvider } from '@repertoire/skills-core';
import type { SignSkillIndex, VerifySkillIndex } from '@repertoire/skills-core/provider';

const source = 'https://skills.example.com';
const skills = (body: string): SkillProvider => new SkillRegistry({ skills: [{ name: 'billing', description: 'Money.', body }] });

/** A key that this runtime makes: what signs with it, and what verifies it. */
async function party(): Promise<{ readonly sign: SignSkillIndex; readonly verifier: () => VerifySkillIndex }> {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const spki = await crypto.subtle.exportKey('spki', keys.publicKey);
  const publicKey = `-----BEGIN PUBLIC KEY-----\n${btoa(String.fromCharCode(...new Uint8Array(spki)))}\n-----END PUBLIC KEY-----\n`;
  let last: LastRelease | null = null;
  const log = {
    read: async () => last,
    write: async (next: LastRelease) => {
      last = next;
    },
  };
  const releases = releaseMemory();
  return {
    sign: indexSigner({ signer: keySigner({ key: keys.privateKey, publicKey }), source, log }),
    verifier: () => indexVerifier({ verifier: createSkillVerifier({ publicKeys: [publicKey] }), source, releases }),
  };
}

async function bodyOf(provider: SkillProvider): Promise<string> {
  try {
    return (await provider.getSkill('billing'))?.body.trim() ?? 'no skill';
  } catch (error) {
    return SkillError.isInstance(error) ? (/refused \(([a-z-]+)\)/.exec(error.message)?.[1] ?? error.message) : String(error);
  }
}

async function storage(bucket: R2Bucket): Promise<string[]> {
  const [own, other] = [await party(), await party()];
  const read = async (prefix: string, verifyIndex: VerifySkillIndex): Promise<string> =>
    await bodyOf(storageSkillProvider({ store: r2SkillStore(bucket), prefix, verifyIndex }));
  const publish = async (prefix: string, body: string, signIndex?: SignSkillIndex): Promise<void> =>
    void (await publishSkillsToStorage(r2SkillStore(bucket), skills(body), { prefix, signIndex }));
  await publish('old', 'one', own.sign);
  await publish('new', 'two', own.sign);
  await publish('none', 'three');
  return [
    await read('new', own.verifier()),
    await read('new', other.verifier()),
    await read('none', own.verifier()),
    await read('old', own.verifier()),
  ];
}

async function http(): Promise<string[]> {
  const [own, other] = [await party(), await party()];
  const read = async (signIndex: SignSkillIndex | undefined, verifyIndex: VerifySkillIndex): Promise<string> =>
    await bodyOf(httpSkillProvider({ url: source, fetch: createSkillsHandler(skills('one'), { signIndex }), verifyIndex }));
  return [await read(own.sign, own.verifier()), await read(own.sign, other.verifier()), await read(undefined, own.verifier())];
}

export default {
  fetch: async (_request: Request, { BUCKET }: { readonly BUCKET: R2Bucket }): Promise<Response> =>
    Response.json({ storage: await storage(BUCKET), http: await http() }),
};
