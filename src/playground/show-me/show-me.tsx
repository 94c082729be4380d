import { useState } from 'react';
import { base, settings } from '../settings.ts';
import { type Sample, writeSamples } from './samples.ts';

export interface ShowMeProps {
  readonly sample: Sample;
  /** What the page got, as it got it. */
  readonly result?: unknown;
}

/** The GraphQL behind a part of the page, ready to be copied. */
export function ShowMe({ sample, result }: ShowMeProps) {
  const [shown, setShown] = useState('GraphQL');
  const samples = {
    ...writeSamples(sample),
    ...(result !== undefined && { Result: JSON.stringify(result, null, 2) }),
  };
  const text = Object.entries(samples).find(([name]) => name === shown)?.[1] ?? samples.GraphQL;
  const graphiql = new URL('graphql', base);
  graphiql.searchParams.set('query', sample.query);
  graphiql.searchParams.set('variables', JSON.stringify(sample.variables, null, 2));
  return (
    <details className="show-me">
      <summary>Show me the GraphQL</summary>
      <div role="group" aria-label="Forms of the operation">
        {Object.keys(samples).map((name) => (
          <button key={name} type="button" aria-pressed={name === shown} onClick={() => setShown(name)}>
            {name}
          </button>
        ))}
        <button type="button" onClick={() => void navigator.clipboard?.writeText(text)}>
          Copy
        </button>
        {settings.hasGraphiQL && (
          <a href={graphiql.href} target="_blank" rel="noopener">
            Open in GraphiQL
          </a>
        )}
      </div>
      <pre tabIndex={0} aria-label={shown}>
        {text}
      </pre>
    </details>
  );
}
