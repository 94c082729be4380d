import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { Members } from '../form/field.tsx';
import type { Schema } from '../form/schema.ts';
import { findProblems } from '../form/schema.ts';
import { useSchema } from '../form/use-schema.ts';

export interface Draft {
  readonly text: string;
  readonly images: readonly string[];
  /** One reply each, side by side. */
  readonly models: readonly string[];
  readonly system?: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ComposerProps {
  readonly canSend: boolean;
  readonly onSend: (draft: Draft) => void;
}

export const defaultModel = 'gpt-4o';

/** Members of the input that have a place of their own. */
const placed = [
  'model',
  'messages',
  'continueFrom',
  'continueChoice',
  'continuePartial',
  'streamOptions',
  'count',
];

export function Composer({ canSend, onSend }: ComposerProps) {
  const [text, setText] = useState('');
  const [model, setModel] = useState(defaultModel);
  const [other, setOther] = useState('');
  const [system, setSystem] = useState('');
  const [images, setImages] = useState('');
  const [parameters, setParameters] = useState<unknown>({});
  const schema = useParameters();
  const problems = schema ? findProblems(schema, parameters) : [];
  const isReady = canSend && text.trim() !== '' && problems.length === 0;
  const send = (event?: FormEvent): void => {
    event?.preventDefault();
    if (!isReady) return;
    onSend({
      text,
      images: images.split(/\s+/).filter(Boolean),
      models: [model, other].filter((each) => each.trim() !== ''),
      ...(system && { system }),
      parameters: (parameters ?? {}) as Draft['parameters'], // What the form made.
    });
    setText('');
  };
  const sendByKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const line = (label: string, value: string, set: (value: string) => void, placeholder?: string) => (
    <label>
      {label}
      <input value={value} placeholder={placeholder} onChange={({ target }) => set(target.value)} />
    </label>
  );
  return (
    <form className="composer" onSubmit={send} noValidate>
      <textarea
        aria-label="Message"
        rows={2}
        value={text}
        placeholder="Ask anything. Enter sends, Shift and Enter starts a line."
        onChange={({ target }) => setText(target.value)}
        onKeyDown={sendByKey}
      />
      <button className="primary" disabled={!isReady}>
        Send
      </button>
      <details>
        <summary>Models and parameters</summary>
        <div className="options">
          {line('Model', model, setModel)}
          {line('A second model, side by side', other, setOther, 'none')}
          {line('System message', system, setSystem)}
          {line('Addresses of images', images, setImages, 'https://…')}
        </div>
        {schema && (
          <Members
            name="Parameters"
            schema={schema}
            value={parameters}
            path={[]}
            problems={problems}
            isRequired
            onChange={setParameters}
          />
        )}
      </details>
    </form>
  );
}

/** The parameters of a chat by the schema of its input. */
function useParameters(): Schema | undefined {
  const schema = useSchema('ChatInput');
  const [parameters, setParameters] = useState<Schema>();
  useEffect(() => {
    if (typeof schema !== 'object') return;
    const { required: _, ...others } = schema;
    const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !placed.includes(name));
    setParameters({ ...others, properties: Object.fromEntries(properties) });
  }, [schema]);
  return parameters;
}
