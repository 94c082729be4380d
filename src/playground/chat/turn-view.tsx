import { isRepeatable } from '@gengraph/client';
import { type ChatStream, useChatStream } from '@gengraph/client/react';
import { type ReactNode, useEffect } from 'react';
import { Markdown } from '../markdown.tsx';
import { Medium } from '../media.tsx';
import { Problem } from '../problem.tsx';
import type { Turn } from './conversation.ts';

export interface TurnViewProps {
  readonly turn: Turn;
  readonly collection: string;
  /** Called when the reply has an id, and when it has ended. */
  readonly onChange: (turn: Turn, chat: ChatStream) => void;
  readonly onRegenerate: () => void;
  /** Below the reply: what else a visitor can do. */
  readonly children: ReactNode;
}

const noFile = { base64: null, contentType: null, width: null, height: null };

const states: Readonly<Record<ChatStream['status'], string>> = {
  starting: 'thinking',
  streaming: 'writing',
  completed: 'complete',
  canceled: 'stopped',
  failed: 'failed',
};

/** One reply, from its first token to its end, wherever it runs. */
export function TurnView({ turn, collection, onChange, onRegenerate, children }: TurnViewProps) {
  const chat = useChatStream(turn.input ?? turn.id ?? null, { id: turn.key, collection });
  useEffect(() => onChange(turn, chat), [chat.id, chat.isEnded]);
  const { error, usage, isEnded } = chat;
  const state = chat.finishReason === 'length' ? 'cut at its limit' : states[chat.status];
  const tokens = usage?.totalTokens && `${usage.totalTokens} tokens`;
  return (
    <div className="turn">
      <div className="prompt" role="group" aria-label="You" dir="auto">
        {turn.prompt}
        {turn.images.map((url, index) => (
          <Medium key={index} asset={{ kind: 'IMAGE', url, ...noFile }} label={`Image ${url.slice(0, 40)}`} />
        ))}
      </div>
      <div className="reply" role="group" aria-label={`Reply of ${turn.model}`}>
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
        {error && <Problem problem={error} onRetry={isRepeatable(error) ? chat.retry : onRegenerate} />}
      </div>
      <footer>
        <small className="hint" role="status" aria-busy={!isEnded}>
          {[turn.model, state, tokens].filter(Boolean).join(' · ')}
        </small>
        {isEnded && <button onClick={onRegenerate}>Another answer</button>}
        {children}
      </footer>
    </div>
  );
}

export interface BranchesProps {
  readonly turn: Turn;
  readonly turns: readonly Turn[];
  readonly onShow: (turn: Turn) => void;
}

/** Steps through the other answers, and the other messages, at the place of a turn. */
export function Branches({ turn, turns, onShow }: BranchesProps) {
  const branches = turns.filter(({ parent }) => parent === turn.parent);
  const at = branches.findIndex(({ key }) => key === turn.key);
  const step = (label: string, sign: string, to: Turn | undefined) => (
    <button aria-label={label} disabled={!to} onClick={() => to && onShow(to)} children={sign} />
  );
  return branches.length > 1 ? (
    <span>
      {step('Previous branch', '‹', branches[at - 1])} {at + 1} of {branches.length}{' '}
      {step('Next branch', '›', branches[at + 1])}
    </span>
  ) : null;
}
