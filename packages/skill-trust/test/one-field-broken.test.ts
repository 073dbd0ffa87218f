import { beforeAll, expect, it } from 'vitest';
import { brokenTable, type Told } from '../../../test/support/one-field-broken.ts';
import { catchRefusal } from '../src/problem/refusal.ts';
import { parseCertificate } from '../src/x509/certificate.ts';
import { der } from './support/certificates.ts';
import { derHeader, derPlaces, relengthened } from './support/der-places.ts';
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
  for (const { path, at, end, bodyAt } of derPlaces(raw)) {
    const [before, element, after] = [raw.subarray(0, at), raw.subarray(at, end), raw.subarray(end)];
    const changed: Readonly<Record<string, Uint8Array>> = {
      none: new Uint8Array(),
      twice: Buffer.concat([element, element]),
      null: Uint8Array.of(5, 0),
      empty: Uint8Array.of(element[0] ?? 0, 0),
      'other tag': Uint8Array.of((element[0] ?? 0) ^ 1, ...element.subarray(1)),
      longer: Buffer.concat([derHeader(element[0] ?? 0, end - bodyAt + 1), raw.subarray(bodyAt, end), Uint8Array.of(0)]),
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
