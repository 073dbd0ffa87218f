import { beforeAll, expect, it } from 'vitest';
import { brokenTable, type Told } from '../../../test/support/one-field-broken.ts';
import { catchRefusal } from '../src/problem/refusal.ts';
import { parseCertificate } from '../src/x509/certificate.ts';
import { der } from './support/certificates.ts';
import { bytes, publisher, signatureName, skillFiles, text, type Publisher, type WrittenBundle } from './support/signed-skills.ts';

let own: Publisher;
let signed: Map<string, Uint8Array | null>;
let bundle: WrittenBundle;
beforeAll(async () => {
  own = await publisher();
  signed = await own.sign(skillFiles());
  bundle = JSON.parse(text(signed.get(signatureName))) as WrittenBundle;
});

async function problemsWith(signature: Uint8Array): Promise<readonly Told[]> {
  const result = await own.verifier().verifySkill(new Map([...signed, [signatureName, signature]]));
  return result.verified ? [] : result.problems;
}

it('GOV-12: a signature in which one field is wrong is refused by its code', async () => {
  expect(await problemsWith(bytes(JSON.stringify(bundle)))).toEqual([]);
  await expect(await brokenTable(bundle, (value) => problemsWith(bytes(JSON.stringify(value))))).toMatchFileSnapshot('broken/bundle.txt');
});

it('GOV-12: and so is a statement that was signed so', async () => {
  const { payload, payloadType } = bundle.dsseEnvelope;
  const statement = JSON.parse(Buffer.from(payload, 'base64').toString()) as object;
  const read = async (value: unknown) => await problemsWith(await own.signPayload(payloadType, bytes(JSON.stringify(value))));
  expect(await read(statement)).toEqual([]);
  await expect(await brokenTable(statement, read)).toMatchFileSnapshot('broken/statement.txt');
});

it('GOV-12: a certificate in which one element is wrong is refused by its code', async () => {
  const raw = der(own.signer);
  const lines: string[] = [];
  for (const { path, at, end, bodyAt } of elements(raw)) {
    const [before, element, after] = [raw.subarray(0, at), raw.subarray(at, end), raw.subarray(end)];
    const changed: Readonly<Record<string, Uint8Array>> = {
      none: new Uint8Array(),
      twice: Buffer.concat([element, element]),
      null: Uint8Array.of(5, 0),
      empty: Uint8Array.of(element[0] ?? 0, 0),
      'other tag': Uint8Array.of((element[0] ?? 0) ^ 1, ...element.subarray(1)),
      longer: Buffer.concat([header(element[0] ?? 0, end - bodyAt + 1), raw.subarray(bodyAt, end), Uint8Array.of(0)]),
    };
    const answers = new Map<string, string[]>();
    for (const [name, by] of Object.entries(changed)) {
      const whole = relengthened(raw, path, Buffer.concat([before, by, after]), by.length - element.length);
      const refused = await catchRefusal(async () => parseCertificate(whole));
      const answer = 'code' in refused ? `${refused.code}: ${refused.message}` : 'taken';
      answers.set(answer, [...(answers.get(answer) ?? []), name]);
    }
    for (const [answer, names] of answers) lines.push(`${path.join('.')}: ${answer} <- ${names.join(', ')}\n`);
  }
  expect(lines.length).toBeGreaterThan(50);
  await expect(lines.join('')).toMatchFileSnapshot('broken/certificate.txt');
});

interface Element {
  /** The places of its parents and its own. */
  readonly path: readonly number[];
  readonly at: number;
  readonly bodyAt: number;
  readonly end: number;
}

/** Every element of a DER structure but the whole. */
function elements(raw: Uint8Array, start = 0, end: number = raw.length, above: readonly number[] = []): Element[] {
  const found: Element[] = [];
  let at = start;
  for (let place = 0; at < end; place += 1) {
    const first = raw[at + 1] ?? 0;
    const size = first < 0x80 ? 0 : first & 0x7f;
    const bodyAt = at + 2 + size;
    const length = size === 0 ? first : raw.subarray(at + 2, bodyAt).reduce((sum, byte) => sum * 256 + byte, 0);
    const path = [...above, place];
    if (above.length > 0) found.push({ path, at, bodyAt, end: bodyAt + length });
    if (((raw[at] ?? 0) & 0x20) !== 0) found.push(...elements(raw, bodyAt, bodyAt + length, path));
    at = bodyAt + length;
  }
  return found;
}

function header(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  return length < 0x100 ? Uint8Array.of(tag, 0x81, length) : Uint8Array.of(tag, 0x82, length >> 8, length & 0xff);
}

/** The bytes with the lengths of the parents of what changed. */
function relengthened(raw: Uint8Array, path: readonly number[], changed: Uint8Array, by: number): Uint8Array {
  const whole: Element = { path: [0], at: 0, bodyAt: 4, end: raw.length };
  const parents = [whole, ...elements(raw)].filter(
    (each) => each.path.length < path.length && each.path.every((place, index) => place === path[index]),
  );
  let bytesNow = changed;
  let grown = by;
  for (const { at, bodyAt, end } of parents.toReversed()) {
    const head = header(bytesNow[at] ?? 0, end - bodyAt + grown);
    bytesNow = Buffer.concat([bytesNow.subarray(0, at), head, bytesNow.subarray(bodyAt)]);
    grown += head.length - (bodyAt - at);
  }
  return bytesNow;
}
