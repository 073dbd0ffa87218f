// Shared by packages of this repository. Any release may change or remove it.
export { HeldConnections, type HeldConnection } from './tools/held-connections.ts';
export { ServerConnection, type Closable } from './tools/server-connection.ts';
export { serversOfSkill } from './tools/servers-of-skill.ts';
