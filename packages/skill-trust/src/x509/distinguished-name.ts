import { derTag, readChildren, readObjectIdentifier, type DerElement } from '../encoding/der.ts';
import { toHex } from '@repertoire/skills-core/internal';
import { refuse } from '../problem/refusal.ts';

/** Short names of attributes, as `openssl x509 -nameopt RFC2253` writes them. */
const shortNames: Readonly<Record<string, string>> = {
  '2.5.4.3': 'CN',
  '2.5.4.5': 'serialNumber',
  '2.5.4.6': 'C',
  '2.5.4.7': 'L',
  '2.5.4.8': 'ST',
  '2.5.4.10': 'O',
  '2.5.4.11': 'OU',
};

/** UTF8String, PrintableString, IA5String. The bytes of all three are UTF-8. */
const textTags: readonly number[] = [derTag.utf8String, 0x13, 0x16];

/**
 * A distinguished name as text, in the order of the certificate: `C=US, O=Example, CN=Skill
 * signing`. Special characters are escaped, so that different names never have the same text,
 * because policies compare the text.
 */
export function readDistinguishedName(element: DerElement | undefined): string {
  return readChildren(element)
    .map((relative) => readChildren(relative, derTag.set).map(readAttribute).join(' + '))
    .join(', ');
}

function readAttribute(element: DerElement): string {
  const [type, value, ...rest] = readChildren(element);
  if (value === undefined || rest.length > 0) refuse('certificate-malformed', 'A name of a certificate is malformed.');
  const identifier = readObjectIdentifier(type);
  return `${shortNames[identifier] ?? identifier}=${textTags.includes(value.tag) ? escapeText(decode(value.body)) : `#${toHex(value.raw)}`}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return refuse('certificate-malformed', 'A name of a certificate is not UTF-8.');
  }
}

/** Replaces control characters by hex, because names appear in messages and logs. */
function escapeText(text: string): string {
  return text
    .replaceAll(/[,+"\\<>;=]|^[ #]| $/g, String.raw`\$&`)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`);
}
