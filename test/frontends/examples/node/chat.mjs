import { createGengraph } from '@gengraph/client';

const [url = 'http://127.0.0.1:4000/graphql'] = process.argv.slice(2);
const gengraph = createGengraph({ url, credential: 'sk-sandbox' });
const chat = gengraph.chat({
  model: 'gpt-4o',
  messages: [{ role: 'USER', content: { text: 'Tell me a story.' } }],
});

let shown = '';
for await (const { text, error } of chat) {
  process.stdout.write(text.slice(shown.length));
  shown = text;
  if (error) console.error(`${error.message} Advice: ${error.retry}`);
}
await gengraph.dispose();
