import { ImagePicker, takesIds } from './image-picker.tsx';
import { kindOf, parseJson, type Schema, toLabel } from './schema.ts';

export interface ControlProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly attributes: { readonly id: string; readonly required: boolean };
  /** Undefined: nothing is filled in. */
  readonly onChange: (value: unknown) => void;
}

type Typed = { readonly target: HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement };

/** Where one value is typed or chosen. */
export function Control({ name, schema, value, attributes, onChange }: ControlProps) {
  const kind = kindOf(schema);
  const text = typeof value === 'boolean' ? `${value}` : ((value ?? '') as string | number); // A number keeps its typed zeros.
  const take =
    (read: (text: string) => unknown) =>
    ({ target }: Typed): void =>
      onChange(target.value.trim() === '' ? undefined : read(target.value));
  const shared = { ...attributes, value: text, onChange: take((typed) => typed) };
  if (kind === 'choice' || kind === 'boolean') {
    const options = kind === 'boolean' ? [true, false] : (schema.enum ?? []);
    return (
      <select {...shared} onChange={take((chosen) => options.find((option) => `${option}` === chosen))}>
        <option value="">{attributes.required ? 'Choose…' : 'Default'}</option>
        {options.map(
          (option) => option !== null && <Option key={`${option}`} option={`${option}`} name={name} />,
        )}
      </select>
    );
  }
  if (kind === 'number') {
    // The value of `1e` is as empty as that of nothing, so React sees no change.
    const read = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void =>
      currentTarget.validity.badInput ? onChange('?') : take(Number)({ target: currentTarget });
    return (
      <input
        {...shared}
        type="number"
        value={typeof value === 'string' ? '' : text}
        step={[schema.type].flat().includes('integer') ? 1 : 'any'}
        min={schema.minimum}
        max={schema.maximum}
        onChange={read}
        onInput={read}
      />
    );
  }
  if (kind === 'json') {
    // It keeps what is typed: its text is not always that of a value.
    const json = typeof value === 'string' ? value : JSON.stringify(value);
    return (
      <textarea {...attributes} rows={2} placeholder="{ }" defaultValue={json} onChange={take(parseJson)} />
    );
  }
  if (takesIds(schema))
    return (
      <>
        <input {...shared} />
        <ImagePicker onPick={onChange} />
      </>
    );
  return isLong(schema) ? <textarea {...shared} rows={3} /> : <input {...shared} />;
}

/** A member as its label, `RESOLUTION_1K` of the member `resolution` as `1K`, `ASPECT_RATIO_16_9` of `aspectRatio` as `16:9`. */
function Option({ option, name }: { readonly option: string; readonly name: string }) {
  const prefix = `${name.replaceAll(/[A-Z]/g, '_$&').toUpperCase()}_`;
  const own = option.startsWith(prefix) ? option.slice(prefix.length) : option;
  const words = /^\d+_\d+$/.test(own) ? own.replace('_', ':') : own.replaceAll('_', ' ');
  return <option value={option}>{/[a-z]{2}/.test(own) ? toLabel(own) : words}</option>;
}

/** A prompt, a lyric or a text to speak. Ids, models and addresses have a pattern, or say so. */
function isLong({ maxLength = 0, description = '' }: Schema): boolean {
  return maxLength >= 500 || /\b(prompt|text|lyrics|topic|instructions?)\b/i.test(description.slice(0, 60));
}
