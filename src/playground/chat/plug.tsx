import { GenerationDocument } from '@gengraph/client/documents';
import { useSyncExternalStore } from 'react';
import { cutConnection, run, storage } from '../gengraph.ts';
import { notify, subscribe } from '../kept.ts';
import { useLatest } from '../use-read.ts';
import { type Conversation, cutsName, findChats } from './conversation.ts';
import type { InChat } from './use-conversation.ts';

/** Breaks the connection of the page, and counts what that does to the reply. */
export function Plug({ chat: { conversation, reply: view }, turn }: InChat) {
  const name = cutsName(view?.id ?? turn.key);
  // Of this tab. A reload keeps the number.
  const cuts = useSyncExternalStore(subscribe, () => Number(storage.getItem(name) ?? 0));
  const count = (cut: () => void): void => {
    storage.setItem(name, `${cuts + 1}`);
    notify();
    cut();
  };
  const recorded = useLatest(
    async () => (view?.id && view.isEnded ? readRecord(view.id, view.text, conversation) : undefined),
    [view, conversation.turns.length],
  );
  const parts = [
    plural(cuts, 'cut'),
    recorded && `${plural(recorded.lost, 'character')} lost`,
    recorded && `${plural(recorded.paid, 'request')} paid`,
  ];
  return (
    <aside className="plug" aria-label="Pull the plug">
      <button onClick={() => count(cutConnection)}>Pull the plug</button>
      <button onClick={() => count(() => location.reload())}>Reload</button>
      <a className="button" href={location.href} target="_blank" rel="opener" children="Second tab" />
      <output aria-live="polite" className={recorded?.lost === 0 ? 'whole' : ''}>
        {parts.filter(Boolean).join(', ')}
      </output>
    </aside>
  );
}

const plural = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** Compares what this page shows with what the server has recorded, and counts the requests for it. */
async function readRecord(id: string, shown: string, { collection, turns }: Conversation) {
  const { value } = await run(GenerationDocument, { by: { id } });
  const chats = await findChats(collection);
  const output = value?.output;
  const content = output?.__typename === 'ChatCompletion' ? output.choices[0]?.message.content : undefined;
  const chat = chats.find((each) => each.id === id);
  if (typeof content !== 'string' || !chat) return undefined;
  const same = chats.filter(({ prompt, parent }) => prompt === chat.prompt && parent?.id === chat.parent?.id);
  // Other turns are answers that were asked for.
  const paid = same.filter((each) => each.id === id || !turns.some((turn) => turn.id === each.id)).length;
  return { lost: countLost(content, shown), paid };
}

/** Characters of the record that the page does not show at their place. */
function countLost(recorded: string, shown: string): number {
  const same = recorded.split('').findIndex((character, index) => character !== shown[index]);
  return same === -1 ? 0 : recorded.length - same;
}
