// Anything added here is public API.
export { isUnknownCall } from './chat/is-unknown-call.ts';
export {
  skillChatTransport,
  type ChatAnswer,
  type ChatAnswered,
  type SkillChatTransport,
  type SkillChatTransportOptions,
} from './chat/skill-chat-transport.ts';
