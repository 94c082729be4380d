import { DeleteConversationDocument } from '@gengraph/client/documents';
import { useGeneration } from '@gengraph/client/react';
import { print } from 'graphql';
import { titleOf } from '../create/families.ts';
import { chooseImage } from '../form/image-picker.tsx';
import { run } from '../gengraph.ts';
import { DetailsDocument } from '../operations.generated.ts';
import { Act, Notice, Problem } from '../problem.tsx';
import { go, Link } from '../router.tsx';
import { ShowMe } from '../show-me/show-me.tsx';
import { useRead } from '../use-read.ts';
import { GenerationCard } from './generation-card.tsx';

/** Everything about one generation, at an address of its own. */
export function GenerationPage({ id }: { readonly id: string }) {
  const generation = useGeneration(id);
  const { isEnded, kind, model, collection, createdAt, error } = generation;
  // The end adds the usage.
  const { value: details, problem, retry } = useRead(DetailsDocument, { id }, isEnded);
  const unread = details?.task?.readFailure;
  const images = details?.assets.flatMap(({ id: asset, kind: type }) => (type === 'IMAGE' && asset) || []);
  const remove = async () => {
    if (!confirm('Delete it for good, with its stored files? A chat goes with all turns.')) return undefined;
    const { problem: refusal, value } = await run(DeleteConversationDocument, { id });
    if (refusal) return refusal;
    if (value?.skipped.some(({ reason }) => reason === 'RUNNING'))
      return 'Not deleted, because it still runs. Delete it when all has ended.';
    go('gallery');
    return undefined;
  };
  const facts = {
    Created: createdAt && new Date(createdAt).toLocaleString(),
    Model: model ?? 'not reported',
    Cost: details?.usage?.totalTokens ? `${details.usage.totalTokens} tokens` : 'no tokens reported',
    Collection: collection && <Link to={`gallery?${new URLSearchParams({ collection })}`}>{collection}</Link>,
    'Input, as it was sent': <pre tabIndex={0}>{JSON.stringify(details?.input, null, 2)}</pre>,
  };
  const short = titleOf(generation).replace(/^(.{60}).+/su, '$1…');
  const title = <title key="title">{`${short} · Gengraph`}</title>;
  if (error && kind === null) return [title, <Problem key="problem" problem={error} />];
  return (
    <section aria-label="Generation" className="side-by-side">
      {title}
      <GenerationCard generation={generation} isWhole />
      <div>
        {error && <Problem problem={error} />}
        {problem && <Problem problem={problem} onRetry={retry} />}
        {unread && (
          <Notice>
            <p>
              <strong>What is shown may be old: its state cannot be read now.</strong> {unread.message}
            </p>
            <button onClick={retry}>Read it again</button>
          </Notice>
        )}
        <div className="actions">
          {kind === 'CHAT' && <Link className="button" to={`chat/${id}`} children="Open the conversation" />}
          {images?.map((image) => (
            <button key={image} children="Use as input" onClick={() => chooseImage(image)} />
          ))}
          <Act children="Delete" disabled={!isEnded} act={remove} />
        </div>
        {details && (
          <dl>
            {Object.entries(facts).map(([name, fact]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{fact ?? 'none'}</dd>
              </div>
            ))}
          </dl>
        )}
        <ShowMe sample={{ query: print(DetailsDocument), variables: { id } }} result={details} />
      </div>
    </section>
  );
}
