/**
 * Remembers who signed each skill, so that the signer of a skill cannot change unnoticed. Store it
 * where the skills cannot write, such as a lock file or a database. Skills of different sources
 * need different memories.
 *
 * The first accepted signer of a skill is remembered (trust on first use).
 */
export interface SignerMemory {
  /** The `id` of the signer that is remembered for a skill, or `null`. */
  read(skill: string): Promise<string | null>;
  /**
   * Remembers a signer unless one is already remembered, atomically: of two concurrent callers, one
   * wins.
   *
   * @returns the signer that is remembered now
   */
  remember(skill: string, signer: string): Promise<string>;
  /** Accepts another signer from now on. Only people may call it. */
  acceptSigner(skill: string, signer: string): Promise<void>;
}

/** A {@link SignerMemory} in memory. */
export interface InMemorySignerMemory extends SignerMemory {
  /** What is remembered, by the name of the skill, as plain data to be stored. */
  entries(): Record<string, string>;
}

/**
 * Creates a signer memory from stored entries. It lives in this process: store `entries()`.
 *
 * @example
 * ```ts
 * import { signerMemory, type SkillSigner } from '@repertoire/skill-trust';
 *
 * const signers = signerMemory(JSON.parse('{"billing":"key:5f2c…"}'));
 *
 * export async function acceptNewSigner(skill: string, signer: SkillSigner): Promise<string> {
 *   await signers.acceptSigner(skill, signer.id);
 *   return JSON.stringify(signers.entries());
 * }
 * ```
 */
export function signerMemory(entries: Readonly<Record<string, string>> = {}): InMemorySignerMemory {
  const signers = new Map(Object.entries(entries));
  return {
    read: async (skill) => signers.get(skill) ?? null,
    remember: async (skill, signer) => {
      if (!signers.has(skill)) signers.set(skill, signer);
      return signers.get(skill) ?? signer;
    },
    acceptSigner: async (skill, signer) => void signers.set(skill, signer),
    entries: () => Object.fromEntries(signers),
  };
}
