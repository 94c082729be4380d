import type { ChatInput } from '@gengraph/client';

const names = ['city', 'country', 'day', 'hour', 'wind', 'rain', 'snow', 'unit', 'language', 'detail'];
const properties = Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 12 }]));

/** A question that the model answers with a call of many arguments. */
export function askForCall(question: string): ChatInput {
  const parameters = { type: 'object', properties, required: names };
  return {
    model: 'gpt-4o',
    messages: [{ role: 'USER', content: { text: question } }],
    tools: [{ function: { name: 'weather', description: 'The weather in a city.', parameters } }],
  };
}
