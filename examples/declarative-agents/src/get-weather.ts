import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import * as z from 'zod';

/** The tool that the skill names. It knows two cities. */
export const getWeather: StructuredToolInterface = tool(
  async ({ city }) => JSON.stringify({ place: city, temperature: city === 'Oslo' ? -3 : 21, wind: 12 }),
  { name: 'get_weather', description: 'Current weather of a city.', schema: z.object({ city: z.string() }) },
);
