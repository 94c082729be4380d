import { isRepeatable } from '@gengraph/client';
import { type ChatStream, useChatStream } from '@gengraph/client/react';
import { useEffect } from 'react';
import { Markdown } from '../markdown.tsx';
import { Medium } from '../media.tsx';
import { Act, Problem } from '../problem.tsx';
import { isCutOff } from './conversation.ts';
import type { InChat } from './use-conversation.ts';

const noFile = { base64: null, contentType: null, width: null, height: null };

const states: Readonly<Record<ChatStream['status'], string>> = {
  starting: 'thinking',
  streaming: 'writing',
  completed: 'complete',
  canceled: 'stopped',
  failed: 'failed',
};

/** One reply, from its first token to its end, wherever it runs. */
export function TurnView({ chat, turn }: InChat) {
  const { collection } = chat.conversation;
  const reply = useChatStream(turn.input ?? turn.id ?? null, { id: turn.key, collection });
  useEffect(() => chat.learn(turn, reply), [turn.key, reply.id, reply.isEnded]);
  const again = (): void => chat.regenerate(turn);
  const { error, usage, isEnded } = reply;
  const state = reply.finishReason === 'length' ? 'cut at its limit' : states[reply.status];
  const tokens = usage?.totalTokens && `${usage.totalTokens} tokens`;
  return (
    <div className="turn" tabIndex={-1}>
      <div className="prompt" role="group" aria-label="You" dir="auto">
        {turn.prompt}
        {turn.images.map((url, index) => (
          <Medium key={index} asset={{ kind: 'IMAGE', url, ...noFile }} label={`Image ${url.slice(0, 40)}`} />
        ))}
      </div>
      <div className="reply" role="group" aria-label={`Reply of ${turn.model}`}>
        {reply.reasoning && (
          <details open={!reply.text}>
            <summary>Reasoning</summary>
            <Markdown text={reply.reasoning} />
          </details>
        )}
        <Markdown text={reply.text} />
        {reply.refusal && <p className="notice">{reply.refusal}</p>}
        {reply.toolCalls.map((call) => (
          <details key={call.index} open>
            <summary>
              Calls <code>{call.name}</code>
            </summary>
            <pre>{call.arguments}</pre>
          </details>
        ))}
        {reply.assets.map((asset, index) => (
          <Medium key={index} asset={asset} label={`Image ${index + 1} of the reply`} />
        ))}
        {error && <Problem problem={error} onRetry={isRepeatable(error) ? reply.retry : again} />}
        {error && isCutOff(error) && (
          <Act children="Send it without the turns that cannot be continued" act={() => chat.goOn(turn)} />
        )}
      </div>
      <footer>
        <small className="hint" role="status" aria-busy={!isEnded}>
          {[turn.model, state, tokens].filter(Boolean).join(' · ')}
        </small>
        <button aria-disabled={!isEnded} onClick={isEnded ? again : undefined} children="Another answer" />
        <Branches chat={chat} turn={turn} />
      </footer>
    </div>
  );
}

/** Steps through the other answers, and the other messages, at the place of a turn. */
function Branches({ chat, turn }: InChat) {
  const branches = chat.conversation.turns.filter(({ parent }) => parent === turn.parent);
  const at = branches.findIndex(({ key }) => key === turn.key);
  const step = (label: string, sign: string, to: InChat['turn'] | undefined) => (
    <button aria-label={label} aria-disabled={!to} onClick={() => to && chat.show(to)} children={sign} />
  );
  return branches.length > 1 ? (
    <span>
      {step('Previous branch', '‹', branches[at - 1])} {at + 1} of {branches.length}{' '}
      {step('Next branch', '›', branches[at + 1])}
    </span>
  ) : null;
}
