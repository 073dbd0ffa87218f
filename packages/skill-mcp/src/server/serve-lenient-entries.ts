import { isJsonObject } from '@repertoire/skills-core/internal';
import { ProtocolError, ProtocolErrorCode, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import type { SkillSource } from '@modelcontextprotocol/server/ext/skills';
import { anyResult } from '../connection/any-result.ts';
import type { PublishSettings } from './serve-skills-over-mcp-options.ts';

/** From this protocol revision on, answers say how long they may be used. */
const firstModernVersion = '2026-07-28';

/** Replaces the SDK's handlers, which leave out every entry that breaks a rule. */
export function serveLenientEntries({ server }: McpServer, source: SkillSource, { cacheHint }: PublishSettings): void {
  const cacheFields = (): object => ((server.getNegotiatedProtocolVersion() ?? '') >= firstModernVersion ? { ...cacheHint } : {});
  server.setRequestHandler('skills/list', { params: anyResult }, async (params: unknown, context: ServerContext) => {
    const cursor = isJsonObject(params) ? params['cursor'] : undefined;
    return { ...(await source.list(typeof cursor === 'string' ? { cursor } : {}, context)), ...cacheFields() };
  });
  server.setRequestHandler('skills/get', { params: anyResult }, async (params: unknown, context: ServerContext) => {
    const uri = isJsonObject(params) ? params['uri'] : undefined;
    const skill = typeof uri === 'string' ? await source.get(uri, context) : undefined;
    if (skill === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `No skill is served at ${String(uri)}`);
    return { skill, ...cacheFields() };
  });
}
