import S3rver from 's3rver';
import { temporaryFolder } from './temporary-folder.ts';

/** An S3 server on loopback, with the bucket `skills`. Of a signature it checks the form and whose key it is, not the signature itself. */
export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** The environment of whoever may write. */
  readonly env: Readonly<Record<string, string>>;
}

export async function s3Server(): Promise<S3Server> {
  const { path: directory } = await temporaryFolder();
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    vhostBuckets: false,
    configureBuckets: [{ name: 'skills', configs: [] }],
  });
  const { port } = await server.run();
  return {
    url: `http://127.0.0.1:${port}`,
    env: { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` },
    [Symbol.asyncDispose]: () => server.close(),
  };
}
