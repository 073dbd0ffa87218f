// Anything added here is public API.
export { skillChatStyle } from './react/skill-chat-style.ts';
export { SkillInbox, type SkillInboxProps } from './react/skill-inbox.ts';
export { SkillMessage, type SkillMessageProps } from './react/skill-message.ts';
export { SkillQuestionCard, type SkillQuestionCardProps } from './react/skill-question-card.ts';
