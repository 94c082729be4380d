import { type FormEvent, type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { SchemaForm, useSchema } from '../form/field.tsx';
import { ImagePicker, takesIds } from '../form/image-picker.tsx';
import { findProblems, prune, type Schema } from '../form/schema.ts';
import { useKept } from '../kept.ts';
import { defaultModel } from './conversation.ts';
import type { InChat } from './use-conversation.ts';

const empty = { text: '', model: defaultModel, other: '', system: '', images: '' };

/** Where the next message is written. While a reply is being written, it can be stopped at the same place. */
export function Composer({ chat }: Pick<InChat, 'chat'>) {
  const { isRunning } = chat;
  const [draft, setDraft] = useKept('message', empty);
  const [values, setValues] = useKept<unknown>('parameters', undefined);
  const isStopPressed = useRef(false);
  const schema = useParameters();
  const parameters = prune(values) as object; // What the form of the parameters made.
  const problems = schema ? findProblems(schema, parameters) : [];
  const { text, system } = draft;
  const models = [draft.model, draft.other].map((model) => model.trim()).filter(Boolean);
  const isComplete = problems.length === 0 && models.length > 0;
  const isReady = isComplete && !isRunning && text.trim() !== '';
  const send = (event: FormEvent | KeyboardEvent): void => {
    event.preventDefault();
    if (!isReady) return;
    chat.send({ text, images: draft.images.split(/\s+/).filter(Boolean), models, system, parameters });
    setDraft((old) => ({ ...old, text: '', images: '' }));
  };
  // Keyboards of phones have no Shift and Enter.
  const isPhone = matchMedia('(pointer: coarse)').matches;
  const sendByKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing && !isPhone) send(event);
  };
  const addImage = (id: string) => setDraft((old) => ({ ...old, images: `${old.images} ${id}`.trim() }));
  const click = (event: MouseEvent): void => {
    // A press of one button, and the second click of a double click, do not trigger the other.
    const isOther = event.detail === 1 ? isStopPressed.current !== isRunning : event.detail > 1;
    if (isOther) event.preventDefault();
    else if (isRunning) chat.stop();
  };
  const control = (name: keyof typeof empty, placeholder: string) => ({
    value: draft[name],
    placeholder,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setDraft((old) => ({ ...old, [name]: target.value })),
  });
  const line = (label: string, name: keyof typeof empty, placeholder: string) => (
    <label>
      {label}
      <input {...control(name, placeholder)} />
    </label>
  );
  return (
    <form className="composer" onSubmit={send} noValidate>
      <div className="message">
        <textarea
          aria-label="Message"
          dir="auto"
          rows={2}
          {...control('text', isPhone ? 'Ask anything.' : 'Ask anything. Shift and Enter starts a line.')}
          onKeyDown={sendByKey}
        />
        <button
          type={isRunning ? 'button' : 'submit'}
          className="primary"
          aria-disabled={!isRunning && !isReady}
          onPointerDown={() => (isStopPressed.current = isRunning)}
          onClick={click}
          children={isRunning ? 'Stop' : 'Send'}
        />
      </div>
      <details>
        <summary>Model and parameters{!isComplete && ': to be completed'}</summary>
        <div className="options">
          {line('Model', 'model', defaultModel)}
          {line('A second model, side by side', 'other', 'none, or for example o3-high')}
          {line('System message', 'system', 'none')}
          {line('Addresses of images', 'images', 'https://…')}
          {/* A file that was sent is no longer chosen. */}
          {schema?.takesIds && <ImagePicker key={chat.conversation.turns.length} onPick={addImage} />}
        </div>
        {schema && <SchemaForm schema={schema} value={values} problems={problems} onChange={setValues} />}
      </details>
    </form>
  );
}

const placed = ['model', 'messages', 'continueFrom', 'continueChoice', 'continuePartial', 'streamOptions'];

function useParameters(): (Schema & { readonly takesIds: boolean }) | undefined {
  const { schema } = useSchema('ChatInput');
  if (!schema) return undefined;
  const { properties = {}, required: _, ...others } = schema;
  const own = Object.entries(properties).filter(([name]) => !placed.includes(name) && name !== 'count');
  return { ...others, properties: Object.fromEntries(own), takesIds: takesIds(schema) };
}
