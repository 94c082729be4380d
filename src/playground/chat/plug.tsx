import type { ChatView } from '@gengraph/client';
import { GenerationDocument } from '@gengraph/client/documents';
import { useConnection } from '@gengraph/client/react';
import { useEffect, useState } from 'react';
import { cutConnections, run } from '../gengraph.ts';
import { type Conversation, findChats, type Turn } from './conversation.ts';

export interface PlugProps {
  readonly conversation: Conversation;
  readonly turn: Turn;
  readonly view: ChatView | undefined;
}

interface Recorded {
  readonly lost: number;
  readonly paid: number;
}

/** Breaks the connection of the page, and counts what that does to the reply. */
export function Plug({ conversation, turn, view }: PlugProps) {
  const { status } = useConnection();
  const id = view?.id ?? null;
  const [cuts, count] = useCuts(id ?? turn.key);
  const recorded = useRecorded(view, conversation);
  return (
    <aside className="plug" aria-label="Pull the plug">
      <button type="button" onClick={() => count(cutConnections)}>
        Pull the plug
      </button>
      <button type="button" onClick={() => count(() => location.reload())}>
        Reload
      </button>
      <a href={location.href} target="_blank" rel="opener">
        Second tab
      </a>
      <output aria-live="polite">
        {status === 'reconnecting' && 'reconnecting, '}
        {plural(cuts, 'cut')}
        {recorded && `, ${plural(recorded.lost, 'character')} lost, ${plural(recorded.paid, 'request')} paid`}
      </output>
    </aside>
  );
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** Cuts of this tab during one reply. A reload keeps the number. */
function useCuts(name: string): readonly [number, (cut: () => void) => void] {
  const key = `gengraph-playground:cuts:${name}`;
  const [, setShown] = useState(0);
  const cuts = Number(sessionStorage.getItem(key) ?? 0);
  return [
    cuts,
    (cut) => {
      sessionStorage.setItem(key, String(cuts + 1));
      setShown(cuts + 1);
      cut();
    },
  ];
}

/** After the end: compares what this page shows with what the server has recorded, and counts the requests for it. */
function useRecorded(view: ChatView | undefined, { collection, turns }: Conversation): Recorded | undefined {
  const [recorded, setRecorded] = useState<Recorded>();
  const { id = null, isEnded = false, text = '' } = view ?? {};
  // Another answer to the same prompt was asked for.
  const wanted = turns.map((turn) => turn.id).join();
  useEffect(() => {
    setRecorded(undefined);
    if (id === null || !isEnded) return undefined;
    let isLeft = false;
    void readRecord(id, { text, collection, wanted: wanted.split(',') }).then((read) => {
      if (!isLeft) setRecorded(read);
    });
    return () => {
      isLeft = true;
    };
  }, [id, isEnded, text, collection, wanted]);
  return recorded;
}

interface Page {
  readonly text: string;
  readonly collection: string;
  readonly wanted: readonly string[];
}

async function readRecord(id: string, { text, collection, wanted }: Page): Promise<Recorded | undefined> {
  const [{ value }, chats] = await Promise.all([
    run(GenerationDocument, { by: { id } }),
    findChats(collection),
  ]);
  const output = value?.output;
  const content = output?.__typename === 'ChatCompletion' ? output.choices[0]?.message.content : undefined;
  const chat = chats.find((each) => each.id === id);
  if (typeof content !== 'string' || !chat) return undefined;
  const same = chats.filter(({ prompt, parent }) => prompt === chat.prompt && parent?.id === chat.parent?.id);
  const paid = same.filter((each) => each.id === id || !wanted.includes(each.id)).length;
  return { lost: countLost(content, text), paid };
}

/** Characters of the record that the page does not show at their place. */
function countLost(recorded: string, shown: string): number {
  if (recorded === shown) return 0;
  let same = 0;
  while (same < shown.length && shown[same] === recorded[same]) same += 1;
  return recorded.length - same;
}
