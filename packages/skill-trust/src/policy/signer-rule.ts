import { SkillError } from '@repertoire/skills-core';
import { show } from '../problem/refusal.ts';
import type { SkillSigner } from '../verify/skill-signer.ts';

/**
 * Which signers a host accepts. Every given field must match exactly; names have no patterns.
 *
 * A rule without any of these fields accepts every signer with a certificate or a key, since the
 * host chose the roots and keys. It accepts no keyless signer: anybody can get a certificate for an
 * identity of their own.
 */
export interface SignerRule {
  /** Subject of the signer's certificate, such as `C=US, O=Example, CN=Skill signing`. */
  readonly subject?: string | undefined;
  /** With `identity`: the identity provider. Otherwise: the subject of the certificate's issuer. */
  readonly issuer?: string | undefined;
  /** Identity of a keyless signer: a mail address, or the URL of a workflow. It needs `issuer`. */
  readonly identity?: string | undefined;
  /** Hint of a public key: SHA-256 of its PEM text in hex. */
  readonly key?: string | undefined;
}

/** A rule for some of the skills of a source. */
export interface SkillSignerRule extends SignerRule {
  /**
   * Names of the skills that the rule applies to; `*` matches any characters. These skills must be
   * signed, whatever `unsigned` says.
   * @default all skills
   */
  readonly skills?: string | readonly string[] | undefined;
  /** Whether such a signature makes a skill trusted. @default what the source says */
  readonly trusted?: boolean | undefined;
}

export function checkSignerRules(rules: readonly SignerRule[]): void {
  for (const { subject, issuer, identity, key } of rules) {
    const kinds = [subject, identity, key].filter((value) => value !== undefined);
    if (kinds.length > 1 || (key !== undefined && issuer !== undefined))
      throw new SkillError('invalid-options', `A rule names ${show(kinds)} and can never match. Give one of subject, identity and key.`);
    if (identity !== undefined && issuer === undefined)
      throw new SkillError(
        'invalid-options',
        `The rule for ${show(identity)} has no issuer. Without it, any identity provider could confirm that identity.`,
      );
    for (const value of [subject, issuer, identity, key])
      if (value !== undefined && (typeof value !== 'string' || value === ''))
        throw new SkillError('invalid-options', `A rule has the value ${show(value)}. Give text that is not empty.`);
  }
}

export function acceptsSigner({ subject, issuer, identity, key }: SignerRule, signer: SkillSigner): boolean {
  switch (signer.kind) {
    case 'keyless':
      return identity === signer.identity && issuer === signer.issuer && subject === undefined && key === undefined;
    case 'key':
      return (key === undefined || key === signer.hint) && subject === undefined && issuer === undefined && identity === undefined;
    case 'certificate':
      return (
        (subject === undefined || subject === signer.subject) &&
        (issuer === undefined || issuer === signer.issuer) &&
        identity === undefined &&
        key === undefined
      );
  }
}

export function isForSkill({ skills = '*' }: SkillSignerRule, name: string): boolean {
  return (typeof skills === 'string' ? [skills] : skills).some((pattern) => matchesPattern(pattern, name));
}

/** Matches `*` by finding the pieces between from left to right, in linear time for each. */
function matchesPattern(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return pattern === name;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = name.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  // The last piece must not overlap the others.
  return at <= name.length - last.length;
}
