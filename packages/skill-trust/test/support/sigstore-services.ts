import { createHash, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fulcioHandler, initializeCA, initializeCTLog, initializeTLog, rekorHandler } from '@sigstore/mock';
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from '@sigstore/protobuf-specs';

/** Services of sigstore on loopback, made by sigstore's own test package. Certificates, log entries and signatures are real. */
export interface SigstoreServices extends AsyncDisposable {
  readonly fulcioUrl: string;
  readonly rekorUrl: string;
  /** The trusted root that names these services. */
  readonly trustedRoot: unknown;
}

export const githubIssuer = 'https://token.actions.githubusercontent.com';

/** A token as GitHub Actions gives it to a workflow. The services do not check its signature. */
export function workflowToken(workflow: string, issuer = githubIssuer): string {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ iss: issuer, sub: workflow })}.x`;
}

export async function sigstoreServices(): Promise<SigstoreServices> {
  const keyPair = (): KeyPairKeyObjectResult => generateKeyPairSync('ec', { namedCurve: 'P-256' });
  // The entry of the log has whole seconds, and must not be older than the log.
  const validFor = { start: new Date(Date.now() - 60_000) };
  const certificateLog = await initializeCTLog(keyPair());
  const authority = await initializeCA(keyPair(), certificateLog);
  const log = await initializeTLog('https://rekor.test', keyPair());
  const servers: Server[] = [];
  const serve = async ({ path, fn }: ReturnType<typeof fulcioHandler>): Promise<string> => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.url !== path) return void response.writeHead(404).end();
        void fn(Buffer.concat(chunks).toString()).then(({ statusCode, response: body, contentType }) =>
          response.writeHead(statusCode, contentType === undefined ? {} : { 'content-type': contentType }).end(body),
        );
      });
    });
    servers.push(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const logOf = (publicKey: Buffer, keyId: Buffer): object => ({
    baseUrl: 'https://rekor.test',
    logId: { keyId },
    hashAlgorithm: HashAlgorithm.SHA2_256,
    publicKey: { rawBytes: publicKey, keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256, validFor },
  });
  const root = {
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    certificateAuthorities: [
      {
        subject: { commonName: 'm', organization: 'm' },
        uri: 'https://fulcio.test',
        certChain: { certificates: [{ rawBytes: toBuffer(authority.rootCertificate) }] },
        validFor,
      },
    ],
    tlogs: [logOf(log.publicKey, createHash('sha256').update(log.publicKey).digest())],
    ctlogs: [logOf(certificateLog.publicKey, toBuffer(certificateLog.logID))],
    timestampAuthorities: [],
  };
  return {
    fulcioUrl: await serve(fulcioHandler(authority)),
    rekorUrl: await serve(rekorHandler(log)),
    trustedRoot: TrustedRoot.toJSON(root as unknown as TrustedRoot),
    [Symbol.asyncDispose]: async () => {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => void server.close(resolve));
      }
    },
  };
}

function toBuffer({ buffer, byteOffset, byteLength }: ArrayBufferView<ArrayBuffer>): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
