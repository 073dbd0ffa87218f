// Anything added here is public API.
export { embeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './node/embedded-postgres.ts';
