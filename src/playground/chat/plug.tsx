import type { ChatView } from '@gengraph/client';
import { useConnection } from '@gengraph/client/react';
import { useEffect, useState } from 'react';
import { cutConnections, gengraph } from '../gengraph.ts';
import type { Turn } from './conversation.ts';

export interface PlugProps {
  readonly turn: Turn;
  readonly view: ChatView | undefined;
}

interface Recorded {
  readonly lost: number;
  readonly paid: number;
}

/** Breaks the connection of the page, and counts what that does to the reply. */
export function Plug({ turn, view }: PlugProps) {
  const { status } = useConnection();
  const id = view?.id ?? null;
  const [cuts, count] = useCuts(id ?? turn.key);
  const recorded = useRecorded(view);
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

const recordText = `query Record($by: GenerationSelector!, $filter: GenerationFilter) {
  generation(by: $by) {
    output { ... on ChatCompletion { choices { index message { content } } } }
    usage { totalTokens }
  }
}`;

interface RecordedChat {
  readonly output: {
    readonly choices?: readonly { readonly message: { readonly content: string | null } }[];
  } | null;
}

/** After the end: compares what this page shows with what the server has recorded. */
function useRecorded(view: ChatView | undefined): Recorded | undefined {
  const [recorded, setRecorded] = useState<Recorded>();
  const { id = null, isEnded = false, text = '' } = view ?? {};
  useEffect(() => {
    setRecorded(undefined);
    if (id === null || !isEnded) return undefined;
    let isLeft = false;
    void gengraph
      .run<RecordedChat | null>({ query: recordText, variables: { by: { id } } })
      .then(({ value }) => {
        const content = value?.output?.choices?.[0]?.message.content;
        if (!isLeft && typeof content === 'string') setRecorded({ lost: countLost(content, text), paid: 1 });
      });
    return () => {
      isLeft = true;
    };
  }, [id, isEnded, text]);
  return recorded;
}

/** Characters of the record that the page does not show at their place. */
function countLost(recorded: string, shown: string): number {
  if (recorded === shown) return 0;
  let same = 0;
  while (same < shown.length && shown[same] === recorded[same]) same += 1;
  return recorded.length - same;
}
