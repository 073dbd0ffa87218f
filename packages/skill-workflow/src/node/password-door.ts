import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A port of this machine at which a database asks for a password. */
export interface PasswordDoor extends AsyncDisposable {
  readonly port: number;
  readonly password: string;
}

/** Codes in place of a version: requests for TLS and GSSAPI, which are refused with one letter. */
const encryptionRequests: ReadonlySet<number> = new Set([80_877_103, 80_877_104]);
const protocolVersion = 196_608;
/** Larger than any first message. */
const maxMessageBytes = 10_000;
const loginTimeoutMs = 10_000;

/** Asks for a password in front of PostgreSQL, since every user of the machine reaches a port. */
export async function passwordDoor(behind: string): Promise<PasswordDoor> {
  const password = randomBytes(24).toString('base64url');
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client));
    login(client, password, behind);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    password,
    async [Symbol.asyncDispose]() {
      server.close();
      for (const client of open) client.destroy();
      await once(server, 'close');
    },
  };
}

/** Handles the start of protocol 3: `R` asks for the password in clear text, `p` brings it. */
function login(client: Socket, password: string, behind: string): void {
  let bytes: Buffer = Buffer.alloc(0);
  let startup: Buffer | null = null;
  client.setTimeout(loginTimeoutMs, () => client.destroy());
  client.on('error', () => client.destroy());
  client.on('data', onData);

  function onData(chunk: Buffer): void {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      // Only what follows the startup has a letter before its length.
      const at = startup === null ? 0 : 1;
      const size = bytes.length < at + 4 ? null : bytes.readUInt32BE(at) + at;
      if (size !== null && (size > maxMessageBytes || size < at + 4)) return void client.destroy();
      if (size === null || bytes.length < size) return;
      const message = bytes.subarray(0, size);
      bytes = bytes.subarray(size);
      if (startup !== null) return check(message, startup);
      const code = size >= 8 ? message.readUInt32BE(4) : 0;
      if (encryptionRequests.has(code)) client.write('N');
      else if (code !== protocolVersion) return void client.destroy();
      else {
        startup = message;
        client.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3]));
      }
    }
  }

  function check(message: Buffer, first: Buffer): void {
    if (message[0] !== 0x70 || !isSame(message.subarray(5, -1).toString(), password)) {
      const fields = Buffer.from('SFATAL\0C28P01\0Mpassword authentication failed\0\0');
      const head = Buffer.from([0x45, 0, 0, 0, fields.length + 4]);
      return void client.end(Buffer.concat([head, fields]));
    }
    client.off('data', onData);
    client.setTimeout(0);
    const upstream = connect(behind);
    upstream.on('error', () => client.destroy());
    client.once('close', () => upstream.destroy());
    upstream.write(Buffer.concat([first, bytes]));
    client.pipe(upstream).pipe(client);
  }
}

function isSame(given: string, password: string): boolean {
  const [a, b] = [given, password].map((text) => createHash('sha256').update(text).digest()) as [Buffer, Buffer];
  return timingSafeEqual(a, b);
}
