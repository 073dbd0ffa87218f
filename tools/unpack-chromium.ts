import { existsSync, readFileSync } from 'node:fs';
import { lstat, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';

/** A Chromium on disk, and how it is to be started. */
export interface UnpackedChromium {
  readonly executablePath: string;
  readonly args: readonly string[];
  /** What it needs besides the environment of the process that starts it. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Flags for servers without processes of their own: with the first, closing a page ends the browser. The last five draw with a graphics card that the CPU plays. */
const unwanted = [
  '--single-process',
  '--disable-web-security',
  '--allow-running-insecure-content',
  '--ignore-gpu-blocklist',
  '--in-process-gpu',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** One file of each archive, and our own. Systems that clean temporary folders remove files one by one. */
const witnesses = ['chromium', 'libGLESv2.so', 'al2023/lib/libnss3.so', 'fonts/fonts/Open_Sans/OpenSans-Regular.ttf', 'fonts.conf'];

/**
 * Unpacks the Chromium that comes inside `@sparticuz/chromium`, with its libraries and its font, or finds what was unpacked before. It needs Linux on x64.
 *
 * It is unpacked beside its folder, which then appears whole: two may unpack at once, and what was cut off is never taken for a browser.
 *
 * @param directory where its folder is
 * @throws {Error} where the folder belongs to another user, and that of the file system
 */
export async function unpackChromium(directory: string = tmpdir()): Promise<UnpackedChromium> {
  const folder = join(directory, `repertoire-chromium-${packedVersion()}`);
  if (!(await isWhole(folder))) {
    const fresh = await mkdtemp(`${folder}.`);
    try {
      await unpackInto(fresh);
      await writeFile(join(fresh, 'fonts.conf'), fontConfiguration(folder));
      await appear(fresh, folder);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
  }
  return {
    executablePath: join(folder, 'chromium'),
    args: [...chromium.args.filter((flag) => !unwanted.includes(flag)), '--disable-gpu'],
    environment: {
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
      LD_LIBRARY_PATH: [join(folder, 'al2023/lib'), process.env['LD_LIBRARY_PATH'] ?? ''].filter((path) => path !== '').join(':'),
    },
  };
}

/** Its fonts and no others, so that every machine shows the same. The file that comes with the browser looks for them in `/tmp/fonts`, wherever they are. */
function fontConfiguration(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${escapeXml(join(folder, 'fonts'))}</dir>
  <cachedir>${escapeXml(join(folder, 'fonts-cache'))}</cachedir>
</fontconfig>
`;
}

async function unpackInto(folder: string): Promise<void> {
  const before = { ...process.env };
  // It reads these while it is called, and unpacks its libraries only where it takes the machine for a bare one.
  Object.assign(process.env, { TMPDIR: folder, AWS_LAMBDA_JS_RUNTIME: 'nodejs24.x' });
  const unpacked = chromium.executablePath();
  for (const name of ['TMPDIR', 'AWS_LAMBDA_JS_RUNTIME']) {
    const value = before[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const path = await unpacked;
  if (path !== join(folder, 'chromium')) throw new Error(`Chromium was to be unpacked in ${folder}, and is at ${path}.`);
}

/** Gives a whole folder its name, unless another run was faster. What lost files since it was unpacked makes room. */
async function appear(fresh: string, folder: string): Promise<void> {
  if (existsSync(folder) && !(await isWhole(folder))) {
    const old = await mkdtemp(`${folder}.`);
    // Gone where another run did so at the same time.
    await rename(folder, old).catch(() => undefined);
    await rm(old, { recursive: true, force: true });
  }
  try {
    await rename(fresh, folder);
  } catch (error) {
    if (!(await isWhole(folder))) throw error;
  }
}

async function isWhole(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) return false;
  // The folder's name can be guessed, and what is in it is run.
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${folder} is not a folder of the user who runs this. Remove it, or name another temporary folder in TMPDIR.`);
  return witnesses.every((path) => existsSync(join(folder, path)));
}

function packedVersion(): string {
  const path = findPackageJSON('@sparticuz/chromium', import.meta.url) ?? '';
  return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
