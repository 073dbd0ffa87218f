import { tool } from '@langchain/core/tools';
import { createSkillset, defineSkill, type Skillset } from '@repertoire/skills-core';
import * as z from 'zod';

/** What a carrier's desk knows how to do. */
export const skillset: Skillset = createSkillset({
  skills: [
    defineSkill({
      name: 'tracking',
      description: 'Finds parcels. Use when somebody asks where a parcel is.',
      body: '# Tracking\n\nCall track_parcel with the order before you say anything.',
      tools: ['track_parcel'],
    }),
    defineSkill({
      name: 'compensation',
      description: 'Pays for late parcels. Use when a parcel comes after its day.',
      body: '# Compensation\n\n10 for each late parcel: call compensate.',
      tools: ['compensate'],
    }),
    defineSkill({
      name: 'customs',
      description: 'Fills in customs forms. Use for parcels that cross a border.',
      body: 'Ask for the value first.',
    }),
  ],
});

/** The desk's tools, and what was done with them. */
export function deskTools() {
  const done: string[] = [];
  const order = z.object({ order: z.string() });
  const act = (name: string, description: string, answer: string) =>
    tool(
      async (input) => {
        done.push(`${name} ${input.order}`);
        return answer;
      },
      { name, description, schema: order },
    );
  return {
    done,
    tools: [act('track_parcel', 'Finds the parcel of an order.', 'In Bergen.'), act('compensate', 'Pays 10 for an order.', 'Paid.')],
  };
}
