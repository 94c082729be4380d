'use client';
import { GengraphChatTransport } from '@gengraph/client/ai-sdk';
import { Conversation } from '../../examples/ai-sdk-chat/conversation.tsx';
import { gengraph } from '../../examples/server/page.ts';

const transport = new GengraphChatTransport(gengraph, { model: 'gpt-4o' });

export default function Page() {
  return <Conversation id="trip" transport={transport} />;
}
