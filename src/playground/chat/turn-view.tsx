import type { ChatView } from '@gengraph/client';
import { useChatStream } from '@gengraph/client/react';
import { type ReactNode, useEffect } from 'react';
import { Markdown } from '../markdown.tsx';
import { Medium } from '../media.tsx';
import { isRepeatable, Problem } from '../problem.tsx';
import type { Turn } from './conversation.ts';

export interface TurnViewProps {
  readonly turn: Turn;
  readonly collection: string;
  readonly onChange: (turn: Turn, view: ChatView) => void;
  readonly onRegenerate: () => void;
  /** Below the reply: the branches, and what else a visitor can do. */
  readonly children?: ReactNode;
}

/** One reply, from its first token to its end, wherever it runs. */
export function TurnView({ turn, collection, onChange, onRegenerate, children }: TurnViewProps) {
  const chat = useChatStream(turn.input ?? turn.id ?? null, { id: turn.key, collection });
  useEffect(() => onChange(turn, chat));
  return (
    <article className="turn" id={turn.key} aria-busy={!chat.isEnded}>
      <p className="prompt">{turn.prompt}</p>
      {turn.images.map((url) => (
        <img className="sent" key={url} src={url} alt="sent with the message" />
      ))}
      <div className="reply">
        {chat.reasoning && (
          <details open={!chat.text}>
            <summary>Reasoning</summary>
            <Markdown text={chat.reasoning} />
          </details>
        )}
        <Markdown text={chat.text} />
        {chat.refusal && <p className="notice">{chat.refusal}</p>}
        {chat.toolCalls.map((call) => (
          <details key={call.index} open>
            <summary>
              Calls <code>{call.name}</code>
            </summary>
            <pre>{call.arguments}</pre>
          </details>
        ))}
        {chat.assets.map((asset, index) => (
          <Medium key={index} asset={asset} label={`Image ${index + 1} of the reply`} />
        ))}
        {!chat.isEnded && <span className="caret" role="status" aria-label="The reply is being written" />}
        {chat.error && (
          <Problem problem={chat.error} onRetry={isRepeatable(chat.error) ? chat.retry : onRegenerate} />
        )}
      </div>
      <footer>
        {chat.isEnded ? (
          <button type="button" onClick={onRegenerate}>
            Another answer
          </button>
        ) : (
          <button type="button" onClick={() => void chat.stop()}>
            Stop
          </button>
        )}
        {chat.isEnded && <small className="hint">{describeEnd(chat)}</small>}
        {children}
      </footer>
    </article>
  );
}

function describeEnd({ status, finishReason, usage }: ChatView): string {
  const tokens = usage?.totalTokens;
  const end = status === 'completed' ? `finished (${(finishReason ?? 'no reason').toLowerCase()})` : status;
  return tokens === undefined || tokens === null ? end : `${end}, ${tokens} tokens`;
}
