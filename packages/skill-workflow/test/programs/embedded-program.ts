/** The program of the DBOS tests, on a database inside its own process. */
import { embeddedPostgres } from '../../src/pglite.ts';

const postgres = await embeddedPostgres({ folder: process.env['FOLDER']! });
process.env['DATABASE_URL'] = postgres.url;
await import('./dbos-program.ts');
await postgres[Symbol.asyncDispose]();
