import { createGengraph } from '@gengraph/client';
import { askForCall } from './tool-input.ts';

// The same without a framework.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });
document.body.innerHTML =
  '<form><input name="question" aria-label="Question"><button>Send</button></form><article></article><p role="status"></p>';
const [form, article, status] = ['form', 'article', '[role=status]'].map((selector) =>
  document.querySelector(selector),
);

async function show(question: string): Promise<void> {
  sessionStorage.setItem('question', question);
  for await (const view of gengraph.chat(askForCall(question), { id: 'message-1' })) {
    if (article) article.textContent = view.toolCalls[0]?.arguments ?? '';
    if (status) status.textContent = view.status;
  }
}

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  const field = document.querySelector('input');
  if (field) void show(field.value);
});
const known = sessionStorage.getItem('question');
if (known !== null) void show(known);
