// Anything added here is public API.
export { skillChatStyle } from './chat/react/skill-chat-style.ts';
export { SkillMessage, type SkillMessageProps } from './chat/react/skill-message.ts';
export { SkillQuestionCard, type SkillQuestionCardProps } from './chat/react/skill-question-card.ts';
