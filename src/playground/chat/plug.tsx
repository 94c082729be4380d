import type { ChatView } from '@gengraph/client';
import { useConnection } from '@gengraph/client/react';
import { useEffect, useState } from 'react';
import { cutConnections, gengraph } from '../gengraph.ts';
import type { Conversation, Turn } from './conversation.ts';

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
        {status === 'connected' ? '' : `${status}, `}
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

const recordText = `query Record($by: GenerationSelector!) {
  generation(by: $by) {
    prompt
    parent { id }
    output { ... on ChatCompletion { choices { message { content } } } }
  }
}`;
const sentText = `query Sent($filter: GenerationFilter) {
  generations(first: 100, filter: $filter) { edges { node { id prompt parent { id } } } }
}`;

interface Sent {
  readonly prompt: string | null;
  readonly parent: { readonly id: string } | null;
}

interface RecordedChat extends Sent {
  readonly output: {
    readonly choices?: readonly { readonly message: { readonly content: string | null } }[];
  } | null;
}

interface SentPage {
  readonly edges: readonly { readonly node: Sent & { readonly id: string } }[];
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
  const { value: chat } = await gengraph.run<RecordedChat | null>({
    query: recordText,
    variables: { by: { id } },
  });
  const content = chat?.output?.choices?.[0]?.message.content;
  if (!chat || typeof content !== 'string') return undefined;
  const { value: sent } = await gengraph.run<SentPage>({
    query: sentText,
    variables: { filter: { collection } },
  });
  const same = sent?.edges.filter(
    ({ node }) => node.prompt === chat.prompt && node.parent?.id === chat.parent?.id,
  );
  if (!same) return undefined;
  const paid = same.filter(({ node }) => node.id === id || !wanted.includes(node.id)).length;
  return { lost: countLost(content, text), paid };
}

/** Characters of the record that the page does not show at their place. */
function countLost(recorded: string, shown: string): number {
  if (recorded === shown) return 0;
  let same = 0;
  while (same < shown.length && shown[same] === recorded[same]) same += 1;
  return recorded.length - same;
}
