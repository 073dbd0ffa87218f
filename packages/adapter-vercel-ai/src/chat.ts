// Anything added here is public API.
export type { CallOutcome, ChatChange, ChatKey, ChatSnapshot, ChatStore, ChatSummary, StartedCall } from './chat/chat-store.ts';
export type { SkillChatLimits } from './chat/read-request.ts';
export { skillCallOf, type SkillCall } from './chat/skill-call.ts';
export {
  skillChat,
  type ChatHistory,
  type ChatStreams,
  type SkillChat,
  type SkillChatHandler,
  type SkillChatOptions,
  type SkillChatStaff,
} from './chat/skill-chat.ts';
export {
  sqlApprovalStore,
  sqlChatStore,
  type ChatDatabase,
  type D1,
  type D1Statement,
  type DurableObjectSqlite,
  type PostgresClient,
  type SqliteFile,
} from './chat/sql-chat-store.ts';
