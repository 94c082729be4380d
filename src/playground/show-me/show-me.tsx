import { useRef, useState } from 'react';
import { base, settings } from '../settings.ts';
import { type Sample, writeSamples } from './samples.ts';

/** The GraphQL behind a part of the page, ready to be copied, and what the page got. */
export function ShowMe({ sample, result }: { readonly sample: Sample; readonly result?: unknown }) {
  const [shown, setShown] = useState('GraphQL');
  const [copied, setCopied] = useState({ text: '', how: '' });
  const pre = useRef<HTMLPreElement>(null);
  const samples = writeSamples(sample);
  const forms = result === undefined ? samples : { ...samples, Result: JSON.stringify(result, null, 2) };
  const text = forms[shown] ?? forms['GraphQL'] ?? '';
  const copy = async (): Promise<void> => {
    // Pages without HTTPS or permission have no clipboard: the text is selected, ready for the keyboard.
    if (pre.current) getSelection()?.selectAllChildren(pre.current);
    const how = await navigator.clipboard?.writeText(text).then(
      () => 'Copied',
      () => 'Selected',
    );
    setCopied({ text, how: how ?? 'Selected' });
  };
  const label = copied.text === text ? copied.how : 'Copy';
  const graphiql = new URL('graphql', base);
  const variables = JSON.stringify(sample.variables, null, 2);
  graphiql.hash = `${new URLSearchParams({ query: sample.query, variables })}`;
  return (
    <details className="show-me">
      <summary>Show me the GraphQL</summary>
      <div className="actions" aria-label="Forms of the operation">
        {Object.keys(forms).map((name) => (
          <button key={name} aria-pressed={name === shown} onClick={() => setShown(name)} children={name} />
        ))}
        <button className="copy" onClick={() => void copy()} children={label} />
        {settings.hasGraphiQL && (
          <a className="button" href={graphiql.href} target="_blank" rel="noopener">
            Open in GraphiQL
          </a>
        )}
      </div>
      <pre tabIndex={0} aria-label={shown} ref={pre} children={text} />
    </details>
  );
}
