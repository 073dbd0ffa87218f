/** Of a thousand published skills of libraries that nobody tuned on, how many write it so. */
const descriptions: readonly (readonly [share: number, write: (text: string) => string])[] = [
  [610, (text) => `description: ${text}`],
  [250, (text) => `description: "${text}"`],
  [40, (text) => `description: '${text.replaceAll("'", "''")}'`],
  [25, (text) => `description: ${text.replace('. ', '.\n  ')}`],
  [40, (text) => `description: >\n  ${text.replace('. ', '.\n  ')}`],
  [18, (text) => `description: |\n  ${text.replace('. ', '.\n  \n  ')}`],
  [8, (text) => `description: ${text} Usage: /plan <topic>`],
  [5, (text) => `description: "${text.replace('. ', '.\\n\\n')}"`],
  [4, (text) => `description: ${text} # for now`],
];

const metadata: readonly (readonly [share: number, write: (index: number) => string])[] = [
  [720, () => ''],
  [110, (index) => `metadata: {"tool":{"icon":"🔧","requires":{"bins":["tool-${index}"],"env":["TOOL_KEY"]},"order":${index % 9}}}\n`],
  [85, (index) => `metadata:\n  author: a team\n  version: "1.${index % 10}"\n`],
  [25, () => 'metadata:\n  tags:\n    - plans\n    - "reviews"\n  author: a team\n'],
  [
    35,
    (index) =>
      `metadata:\n  tool:\n    icon: "🔧"\n    requires:\n      bins:\n        - tool-${index}\n    links: [docs, "https://example.com/a b"]\n`,
  ],
  [15, () => 'metadata:\n  {\n    "tool": { "install": [{ "id": "brew", "bins": ["tool"] }] },\n  }\n'],
  [10, () => 'metadata:\n  triggers:\n    # what people say\n    - on: push\n      paths: ["src/**", "docs/**"]\n    - on: release\n'],
];

const others: readonly (readonly [share: number, text: string])[] = [
  [480, ''],
  [130, 'license: MIT\n'],
  [110, 'version: 1.2.0\nauthor: a team\n'],
  [120, 'requires:\n  env:\n  bins: [git, node]\n'],
  [70, 'tags: [plans, reviews, "step by step"]\n'],
  [45, 'allowed-tools: Read, Grep, Bash(git:*)\n'],
  [30, 'allowed-tools:\n  - Read\n  - "Bash(git:*)"\n'],
  [10, 'tools:\n- name: plan\n  parameters:\n    type: object\n    required: []\n- name: review\n'],
  [3, 'argument-hint: [topic] [date]\n'],
  [2, 'hooks:\n  Stop:\n    - command: "check"\n'],
];

/**
 * A frontmatter, without its delimiters, in one of the forms that people write, as often as they do. Always the same for an index; over a thousand indices, every share
 * is met.
 */
export function frontmatterOfOthers(name: string, description: string, index: number): string {
  const write = pick(descriptions, index * 7 + 3);
  const more = pick(others, index * 13 + 1);
  return `name: ${name}\n${write(description)}\n${pick(metadata, index * 11 + 5)(index)}${more}`;
}

/** Of a thousand such skills, how many have one of these files, which sources look at. */
const beside: readonly (readonly [share: number, write: (name: string) => Readonly<Record<string, string>>])[] = [
  [879, () => ({})],
  [106, (name) => ({ 'agents/openai.yaml': openAiSettings(name) })],
  [10, (name) => ({ 'skill-card.json': JSON.stringify({ id: name, version: '1.0.0', name, description: 'Plans.', base_uri: '.' }) })],
  [5, (name) => ({ 'plugin.json': JSON.stringify({ name, version: '1.0.0' }) })],
];

/** The optional files of a skill, as often as people have them. */
export function filesOfOthers(name: string, index: number): Readonly<Record<string, string>> {
  return pick(beside, index * 17 + 9)(name);
}

/** Settings of other clients, as one large repository has them beside nearly every skill. */
export function openAiSettings(name: string): string {
  return `# How clients show it
interface:
  display_name: "Plans: ${name}"
  short_description: "Plans a week, and says why"
  icon_small: "./assets/small.svg"
  brand_color: "#3B82F6"
  default_prompt: "Use $${name} to plan the week"

dependencies:
  tools:
    - type: "mcp"
      value: "calendar"
      description: "A server of calendars"
      transport: "streamable_http"
      url: "https://calendar.example.com/mcp/"

policy:
  allow_implicit_invocation: true
`;
}

/** The multipliers above share no divisor with a thousand, so that each share is met as often as it says, and in every mixture. */
function pick<Value>(choices: readonly (readonly [share: number, value: Value])[], index: number): Value {
  let rest = (index * 377) % 1_000;
  for (const [share, value] of choices) {
    if (rest < share) return value;
    rest -= share;
  }
  throw new Error('The shares are fewer than a thousand.');
}
