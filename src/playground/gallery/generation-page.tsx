import type { GengraphProblem } from '@gengraph/client';
import { useChatStream, useGeneration } from '@gengraph/client/react';
import { useEffect, useState } from 'react';
import { gengraph } from '../gengraph.ts';
import { Markdown } from '../markdown.tsx';
import { Problem } from '../problem.tsx';
import { follow, go, toHref } from '../router.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { GenerationCard } from './generation-card.tsx';
import { detailsText, forgetText } from './operations.ts';

interface Details {
  readonly input: unknown;
  readonly usage: Readonly<Record<string, number | null>> | null;
  readonly canContinue: boolean;
  readonly notContinuableReason: string | null;
  readonly collection: string | null;
}

/** Everything about one generation, at an address of its own. */
export function GenerationPage({ id }: { readonly id: string }) {
  const generation = useGeneration(id);
  const { isEnded, kind } = generation;
  const [details, setDetails] = useState<Details | null>(null);
  const [problem, setProblem] = useState<GengraphProblem | null>(null);
  useEffect(() => {
    let isLeft = false;
    void gengraph
      .run<Details | null>({ query: detailsText, variables: { by: { id } } })
      .then(({ problem: failed, value }) => {
        if (isLeft) return;
        setProblem(failed ?? null);
        setDetails(value ?? null);
      });
    return () => {
      isLeft = true;
    };
    // The end adds the usage.
  }, [id, isEnded]);
  const forget = async (): Promise<void> => {
    const { problem: failed, value } = await gengraph.run<{ readonly forgottenIds: readonly string[] }>({
      query: forgetText,
      variables: { ids: [id] },
    });
    if (failed) setProblem(failed);
    else if (value.forgottenIds.length > 0) go(toHref('gallery'));
  };
  return (
    <section aria-label="Generation">
      <GenerationCard generation={generation} />
      {kind === 'CHAT' && <Reply id={id} />}
      {generation.error && <Problem problem={generation.error} />}
      {problem && <Problem problem={problem} />}
      <p className="actions">
        {kind === 'CHAT' && (
          <a href={toHref('chat', id)} onClick={follow}>
            {details?.canContinue ? 'Continue this chat' : 'See the whole conversation'}
          </a>
        )}
        <button type="button" disabled={!isEnded} onClick={() => void forget()}>
          Forget it
        </button>
      </p>
      {details && (
        <dl>
          <dt>Cost</dt>
          <dd>{describeUsage(details.usage)}</dd>
          <dt>Collection</dt>
          <dd>{details.collection ?? 'none'}</dd>
          <dt>Input, as it was sent</dt>
          <dd>
            <pre tabIndex={0}>{JSON.stringify(details.input, null, 2)}</pre>
          </dd>
        </dl>
      )}
      <ShowMe
        sample={{
          query: detailsText,
          variables: { by: { id } },
          kit: `const generation = useGeneration('${id}');`,
        }}
        result={details}
      />
    </section>
  );
}

function Reply({ id }: { readonly id: string }) {
  return <Markdown text={useChatStream(id).text} />;
}

function describeUsage(usage: Details['usage']): string {
  const total = usage?.['totalTokens'];
  if (total === undefined || total === null) return 'The gateway reported no tokens.';
  return `${total} tokens, ${usage?.['promptTokens'] ?? 0} for the prompt and ${usage?.['completionTokens'] ?? 0} for the reply`;
}
