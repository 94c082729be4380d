import { Chat, useChat } from '@ai-sdk/react';
import type { GengraphChatTransport, GengraphMessage } from '@gengraph/client/ai-sdk';
import { lastAssistantMessageIsCompleteWithToolCalls } from 'ai';
import { useEffect, useState } from 'react';
import { ChatView } from './chat-view.tsx';
import { answerTool } from './tools.ts';

interface ConversationProps {
  readonly id: string;
  readonly transport: GengraphChatTransport;
}

/** A conversation as it is recorded. A reply goes on while its conversation is not shown. */
export function Conversation({ id, transport }: ConversationProps) {
  const [chat, setChat] = useState<Chat<GengraphMessage>>();
  const [failure, setFailure] = useState<Error>();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isShown = true;
    setFailure(undefined);
    transport.loadMessages(id).then(
      (messages) => isShown && setChat(createChat(id, transport, messages)),
      (error: Error) => isShown && setFailure(error),
    );
    return () => {
      isShown = false;
    };
  }, [id, transport, attempt]);
  if (chat?.id === id) return <LoadedConversation chat={chat} />;
  if (!failure) return null;
  return (
    <p role="alert">
      {failure.message} <button onClick={() => setAttempt(attempt + 1)}>Try again</button>
    </p>
  );
}

/** Not by `useChat`, which stops the replies of a chat that it made when its component unmounts. */
function createChat(id: string, transport: GengraphChatTransport, messages: GengraphMessage[]) {
  const chat: Chat<GengraphMessage> = new Chat({
    id,
    transport,
    messages,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    onToolCall: ({ toolCall }) => void chat.addToolOutput(answerTool(toolCall)),
  });
  return chat;
}

function LoadedConversation({ chat }: { readonly chat: Chat<GengraphMessage> }) {
  // `resume` shows what is still running after a reload, and in a second tab.
  return <ChatView {...useChat({ chat, resume: true })} />;
}
