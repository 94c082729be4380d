import type { UseChatHelpers } from '@ai-sdk/react';
import { isRepeatable } from '@gengraph/client';
import { GengraphChatError, type GengraphMessage } from '@gengraph/client/ai-sdk';
import { type FormEvent, useRef, useState } from 'react';

export function ChatView(chat: UseChatHelpers<GengraphMessage>) {
  const { messages, status, error, sendMessage, regenerate, stop } = chat;
  const [text, setText] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isBusy = status === 'submitted' || status === 'streaming';
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy || !text) return;
    void sendMessage({ text });
    setText('');
  };
  const stopReply = (): void => {
    void stop();
    // A disabled button loses the focus.
    field.current?.focus();
  };
  return (
    <>
      <h1>Chat</h1>
      {messages.map((message) => (
        <Message key={message.id} message={message} />
      ))}
      {error && <p role="alert">{adviceOf(error)}</p>}
      <p role="status">{status}</p>
      <form onSubmit={send}>
        <input
          ref={field}
          aria-label="Message"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button type="submit">Send</button>
        <button type="button" onClick={stopReply} disabled={!isBusy}>
          Stop
        </button>
        <button type="button" onClick={() => void regenerate()} disabled={isBusy || messages.length === 0}>
          Try again
        </button>
      </form>
    </>
  );
}

function Message({ message: { role, parts, metadata } }: { readonly message: GengraphMessage }) {
  return (
    <article aria-label={role}>
      {parts.map((part, index) => {
        if (part.type === 'text') return <p key={index}>{part.text}</p>;
        if (part.type === 'reasoning') return <details key={index}>{part.text}</details>;
        if (part.type === 'file') return <img key={index} src={part.url} alt="" />;
        if ('toolCallId' in part) return <pre key={index}>{JSON.stringify(part.input)}</pre>;
        return null;
      })}
      {metadata?.usage && <small>{metadata.usage.totalTokens} tokens</small>}
    </article>
  );
}

function adviceOf(error: Error): string {
  if (!(error instanceof GengraphChatError)) return error.message;
  const { message, problem } = error;
  if (isRepeatable(problem)) return `${message} You can try again.`;
  return problem.retry === 'MAY_CHARGE_AGAIN' ? `${message} Another try may be charged again.` : message;
}
