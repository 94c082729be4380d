import { useChat } from '@ai-sdk/react';
import { createGengraph } from '@gengraph/client';
import { GengraphChatTransport, type GengraphMessage } from '@gengraph/client/ai-sdk';
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { ChatView } from '../examples/ai-sdk-chat/chat-view.tsx';
import { answerTool, tools } from '../examples/ai-sdk-chat/tools.ts';

// The chat belongs to its component, which makes a transport at each rendering.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });
const createTransport = () => new GengraphChatTransport(gengraph, { model: 'gpt-4o', tools });
const id = new URLSearchParams(location.search).get('chat') ?? 'chat-1';
const messages = await createTransport().loadMessages(id);

function App() {
  const chat = useChat<GengraphMessage>({
    id,
    messages,
    transport: createTransport(),
    resume: true,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall }) => void chat.addToolOutput(answerTool(toolCall)),
  });
  return <ChatView {...chat} />;
}

const root = document.querySelector('#root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
