import type { GengraphProblem } from '@gengraph/client';
import { ForgetGenerationsDocument } from '@gengraph/client/documents';
import { useGeneration } from '@gengraph/client/react';
import { useState } from 'react';
import { run } from '../gengraph.ts';
import { Problem } from '../problem.tsx';
import { follow, go, toHref } from '../router.ts';
import { queryOf } from '../show-me/query-of.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { useRead } from '../use-read.ts';
import { GenerationCard } from './generation-card.tsx';
import { type Details, detailsQuery } from './details.ts';

/** Everything about one generation, at an address of its own. */
export function GenerationPage({ id }: { readonly id: string }) {
  const generation = useGeneration(id);
  const { isEnded, kind } = generation;
  // The end adds the usage.
  const { value: details, problem } = useRead(detailsQuery, { by: { id } }, isEnded);
  const [refusal, setRefusal] = useState<GengraphProblem>();
  const forget = async (): Promise<void> => {
    const { problem: failed, value } = await run(ForgetGenerationsDocument, { ids: [id] });
    if (failed) setRefusal(failed);
    else if (value && value.forgottenIds.length > 0) go(toHref('gallery'));
  };
  return (
    <section aria-label="Generation">
      <GenerationCard generation={generation} isWhole />
      {generation.error && <Problem problem={generation.error} />}
      {problem && <Problem problem={problem} />}
      {refusal && <Problem problem={refusal} />}
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
          query: queryOf(detailsQuery),
          variables: { by: { id } },
          kit: `const generation = useGeneration('${id}');`,
        }}
        result={details}
      />
    </section>
  );
}

function describeUsage(usage: Details['usage']): string {
  const { totalTokens = null, promptTokens, completionTokens } = usage ?? {};
  if (totalTokens === null) return 'The gateway reported no tokens.';
  return `${totalTokens} tokens, ${promptTokens ?? 0} for the prompt and ${completionTokens ?? 0} for the reply`;
}
