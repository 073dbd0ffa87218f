// Anything added here is public API.
export {
  isUnknownCall,
  skillChatTransport,
  skillInboxClient,
  type ChatAnswer,
  type ChatAnswered,
  type OpenedChat,
  type SkillChatTransport,
  type SkillChatTransportOptions,
  type SkillInboxClient,
  type SkillInboxClientOptions,
} from './skill-chat-transport.ts';
