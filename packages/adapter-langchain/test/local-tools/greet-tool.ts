import { tool } from '@langchain/core/tools';
import { z } from 'zod';

export const sayHello = tool(async ({ name }) => `Hello ${name}`, {
  name: 'say_hello',
  description: 'Greets.',
  schema: z.object({ name: z.string() }),
});
