import { Chat, useChat } from '@ai-sdk/react';
import type { GengraphChatTransport, GengraphMessage } from '@gengraph/client/ai-sdk';
import { useEffect, useState } from 'react';
import { ChatView } from './chat-view.tsx';

interface ConversationProps {
  readonly id: string;
  readonly transport: GengraphChatTransport;
}

/** One of several conversations. A reply goes on while its conversation is not shown. */
export function Conversation({ id, transport }: ConversationProps) {
  const [chat, setChat] = useState<Chat<GengraphMessage>>();
  useEffect(() => {
    let isShown = true;
    void transport.loadMessages(id).then((messages) => {
      if (isShown) setChat(new Chat({ id, transport, messages }));
    });
    return () => {
      isShown = false;
    };
  }, [id, transport]);
  return chat?.id === id ? <LoadedConversation chat={chat} /> : null;
}

function LoadedConversation({ chat }: { readonly chat: Chat<GengraphMessage> }) {
  return <ChatView {...useChat({ chat, resume: true })} />;
}
