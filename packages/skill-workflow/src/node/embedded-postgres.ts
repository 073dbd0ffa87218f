import { assertKnownOptions, type OptionRules } from '@repertoire/skills-core/internal';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { openFolder } from './own-folder.ts';
import { passwordDoor } from './password-door.ts';
import { wholeBatches } from './whole-batches.ts';

/** A PostgreSQL inside this process. */
export interface EmbeddedPostgres extends AsyncDisposable {
  /** For `systemDatabaseUrl` of DBOS. On Windows it has a password, new at each start. */
  readonly url: string;
}

/** Options of {@link embeddedPostgres}. */
export interface EmbeddedPostgresOptions {
  /**
   * Where the data is kept. Made if missing, readable by this user, used by one process at a time.
   */
  readonly folder: string;
  /** Connections at the same time. DBOS takes up to 10 and a few more. @default 20 */
  readonly maxConnections?: number | undefined;
}

const knownOptions: OptionRules<EmbeddedPostgresOptions> = {
  folder: 'string',
  maxConnections: 'number',
};

/**
 * Opens a PostgreSQL that needs no installation: PGlite, with its data in a folder. After a crash,
 * the next start finds what was committed. It serves this process alone; for several processes or
 * machines use a PostgreSQL server. It listens at a socket that only this user can open; on
 * Windows, at a port of this machine that asks for a password.
 *
 * @throws {SkillError} `source-unavailable` if another process has the folder open
 * @example
 * ```ts
 * import { DBOS } from '@dbos-inc/dbos-sdk';
 * import { embeddedPostgres } from '@repertoire/skill-workflow/pglite';
 *
 * const postgres = await embeddedPostgres({ folder: '.workflows' });
 * DBOS.setConfig({ name: 'app', systemDatabaseUrl: postgres.url, applicationVersion: '1' });
 * await DBOS.launch();
 * ```
 */
export async function embeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  assertKnownOptions('embeddedPostgres', options, knownOptions);
  const { folder, maxConnections = 20 } = options;
  const own = await openFolder(folder);
  try {
    const db = await PGlite.create(own.dataFolder);
    const server = new PGLiteSocketServer({ db: wholeBatches(db), path: own.socket, maxConnections });
    await server.start();
    const door = own.socketFolder === null ? await passwordDoor(own.socket) : null;
    return {
      url:
        door === null
          ? `postgresql://postgres@localhost:5432/postgres?host=${encodeURIComponent(own.socketFolder ?? '')}&sslmode=disable`
          : `postgresql://postgres:${door.password}@127.0.0.1:${door.port}/postgres?sslmode=disable`,
      async [Symbol.asyncDispose]() {
        await door?.[Symbol.asyncDispose]();
        await server.stop();
        // Connections that were just closed may still be answered.
        await new Promise((resolve) => setTimeout(resolve, 0));
        await db.close();
        await own.release();
      },
    };
  } catch (error) {
    await own.release();
    throw error;
  }
}
