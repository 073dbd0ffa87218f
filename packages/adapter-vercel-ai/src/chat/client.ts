// Anything added here is public API.
export { isUnknownCall } from './is-unknown-call.ts';
export {
  skillChatTransport,
  type ChatAnswer,
  type ChatAnswered,
  type SkillChatTransport,
  type SkillChatTransportOptions,
} from './skill-chat-transport.ts';
