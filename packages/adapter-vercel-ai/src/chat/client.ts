// Anything added here is public API.
export { isUnknownCall } from './is-unknown-call.ts';
export {
  skillChatTransport,
  type ChatAnswer,
  type ChatAnswered,
  type SkillChatTransport,
  type SkillChatTransportOptions,
} from './skill-chat-transport.ts';
export { skillInboxClient, type SkillInboxClient, type SkillInboxClientOptions } from './skill-inbox-client.ts';
