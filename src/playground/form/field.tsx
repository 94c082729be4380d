import { useId, useState } from 'react';
import { type FieldKind, kindOf, type Problem, type Schema, toLabel } from './schema.ts';

export interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  readonly value: unknown;
  readonly path: readonly string[];
  readonly problems: readonly Problem[];
  readonly isRequired: boolean;
  readonly onChange: (value: unknown) => void;
}

/** One member of an input, by its schema: the control, what it means, and what is wrong with it. */
export function Field(props: FieldProps) {
  const kind = kindOf(props.schema);
  if (kind === 'object') return <Members {...props} />;
  if (kind === 'one-of') return <OneOf {...props} />;
  if (kind === 'list') return <List {...props} />;
  return <Value {...props} kind={kind} />;
}

function problemsAt({ path, problems }: Pick<FieldProps, 'path' | 'problems'>): string {
  return problems
    .filter((problem) => problem.path.join('.') === path.join('.'))
    .map(({ message }) => message)
    .join(' ');
}

function Hint({
  id,
  schema: { description, 'x-rules': rules = [] },
}: {
  readonly id: string;
  readonly schema: Schema;
}) {
  const text = [description, ...rules].filter((part) => part !== undefined).join(' ');
  return text ? (
    <small id={id} className="hint">
      {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
    </small>
  ) : null;
}

function Complaint({ id, text }: { readonly id: string; readonly text: string }) {
  return text ? (
    <strong id={id} className="problem" role="alert">
      {text}
    </strong>
  ) : null;
}

function Value({
  name,
  schema,
  value,
  isRequired,
  onChange,
  kind,
  ...place
}: FieldProps & { readonly kind: FieldKind }) {
  const id = useId();
  const problem = problemsAt(place);
  const shared = {
    id,
    required: isRequired,
    'aria-invalid': problem !== '',
    'aria-describedby': `${id}-hint ${id}-problem`,
  };
  return (
    <div className="field">
      <label htmlFor={id}>
        {toLabel(name)}
        {isRequired && <abbr title="required"> *</abbr>}
      </label>
      <Control kind={kind} schema={schema} value={value} shared={shared} onChange={onChange} />
      <Complaint id={`${id}-problem`} text={problem} />
      <Hint id={`${id}-hint`} schema={schema} />
    </div>
  );
}

interface ControlProps extends Pick<FieldProps, 'schema' | 'value' | 'onChange'> {
  readonly kind: FieldKind;
  readonly shared: { readonly id: string; readonly required: boolean };
}

function Control({ kind, schema, value, shared, onChange }: ControlProps) {
  const text = value === undefined || value === null ? '' : `${value as string | number | boolean}`; // What a control shows.
  switch (kind) {
    case 'choice':
    case 'boolean': {
      const options =
        kind === 'boolean' ? ['true', 'false'] : (schema.enum ?? []).filter((option) => option !== null);
      const read = (chosen: string): unknown => (kind === 'boolean' ? chosen === 'true' : chosen);
      return (
        <select
          {...shared}
          value={text}
          onChange={({ target }) => onChange(target.value ? read(target.value) : undefined)}
        >
          <option value="">{shared.required ? 'Choose…' : 'Default'}</option>
          {options.map((option) => (
            <option key={option} value={option}>
              {kind === 'boolean' ? (option === 'true' ? 'Yes' : 'No') : option}
            </option>
          ))}
        </select>
      );
    }
    case 'number':
      return (
        <input
          {...shared}
          type="number"
          step={[schema.type].flat().includes('integer') ? 1 : 'any'}
          min={schema.minimum}
          max={schema.maximum}
          value={text}
          onChange={({ target }) => onChange(target.value === '' ? undefined : target.valueAsNumber)}
        />
      );
    case 'json':
      return <JsonText value={value} shared={shared} onChange={onChange} />;
    default:
      return isLong(schema) ? (
        <textarea
          {...shared}
          rows={3}
          value={text}
          onChange={({ target }) => onChange(target.value || undefined)}
        />
      ) : (
        <input {...shared} value={text} onChange={({ target }) => onChange(target.value || undefined)} />
      );
  }
}

/** A prompt, a lyric or a text to speak. Ids, models and addresses have a pattern, or say so. */
function isLong({ maxLength = 0, description = '' }: Schema): boolean {
  return maxLength >= 500 || /\b(prompt|text|lyrics|instructions?)\b/i.test(description.slice(0, 60));
}

/** Keeps what is typed until it is valid JSON. */
function JsonText({ value, shared, onChange }: Omit<ControlProps, 'schema' | 'kind'>) {
  const read = ({ target }: { readonly target: HTMLTextAreaElement }): void => {
    try {
      target.setCustomValidity('');
      onChange(target.value.trim() === '' ? undefined : JSON.parse(target.value));
    } catch {
      target.setCustomValidity('This is not valid JSON.');
    }
  };
  return (
    <textarea
      {...shared}
      rows={2}
      spellCheck={false}
      placeholder="{ }"
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      onChange={read}
    />
  );
}

/** The members of an object: those that are required first, and the others folded. */
export function Members({ name, schema, value, path, problems, isRequired, onChange }: FieldProps) {
  const id = useId();
  const members = (value ?? {}) as Readonly<Record<string, unknown>>; // An input object.
  const required = schema.required ?? [];
  const change = (member: string) => (next: unknown) => {
    const { [member]: _, ...others } = members;
    const changed = next === undefined ? others : { ...others, [member]: next };
    onChange(Object.keys(changed).length === 0 && !isRequired ? undefined : changed);
  };
  const all = Object.entries(schema.properties ?? {});
  // A control stays where it is while its user types.
  const [open] = useState(
    () =>
      new Set(
        all
          .map(([member]) => member)
          .filter((member) => required.includes(member) || members[member] !== undefined),
      ),
  );
  const isOpen = ([member]: readonly [string, Schema]): boolean => open.has(member);
  const show = ([member, memberSchema]: readonly [string, Schema]) => (
    <Field
      key={member}
      name={member}
      schema={memberSchema}
      value={members[member]}
      path={[...path, member]}
      problems={problems}
      isRequired={required.includes(member)}
      onChange={change(member)}
    />
  );
  const folded = all.filter((entry) => !isOpen(entry));
  const hasProblem = problems.some((problem) =>
    folded.some(([member]) => [...path, member].every((part, at) => problem.path[at] === part)),
  );
  return (
    <fieldset aria-describedby={`${id}-hint`}>
      {name && <legend>{toLabel(name)}</legend>}
      <Hint id={`${id}-hint`} schema={path.length === 0 ? {} : schema} />
      <Complaint id={`${id}-problem`} text={problemsAt({ path, problems })} />
      {all.filter(isOpen).map(show)}
      {folded.length > 0 && (
        <details open={hasProblem || undefined}>
          <summary>{folded.length === 1 ? '1 more' : `${folded.length} more`}</summary>
          {folded.map(show)}
        </details>
      )}
    </fieldset>
  );
}

/** An object with exactly one of its members. */
function OneOf({ name, schema, value, path, problems, isRequired, onChange }: FieldProps) {
  const id = useId();
  const [chosen, inner] = Object.entries((value ?? {}) as Readonly<Record<string, unknown>>)[0] ?? ['']; // An input object.
  const member = schema.properties?.[chosen];
  const start = (next: string): unknown => {
    const kind = kindOf(schema.properties?.[next] ?? {});
    return { [next]: kind === 'object' || kind === 'one-of' ? {} : kind === 'list' ? [] : '' };
  };
  return (
    <fieldset>
      <div className="field">
        <label htmlFor={id}>
          {name ? toLabel(name) : 'Form'}
          {isRequired && <abbr title="required"> *</abbr>}
        </label>
        <select
          id={id}
          required={isRequired}
          value={chosen}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => onChange(target.value ? start(target.value) : undefined)}
        >
          <option value="">{isRequired ? 'Choose…' : 'Default'}</option>
          {Object.keys(schema.properties ?? {}).map((option) => (
            <option key={option} value={option}>
              {toLabel(option)}
            </option>
          ))}
        </select>
        <Complaint id={`${id}-problem`} text={problemsAt({ path, problems })} />
        <Hint id={`${id}-hint`} schema={path.length === 0 ? {} : schema} />
      </div>
      {member && (
        <Field
          name={chosen}
          schema={member}
          value={inner}
          path={[...path, chosen]}
          problems={problems}
          isRequired
          onChange={(next) => onChange({ [chosen]: next })}
        />
      )}
    </fieldset>
  );
}

function List({ name, schema, value, path, problems, isRequired, onChange }: FieldProps) {
  const id = useId();
  const items = Array.isArray(value) ? (value as readonly unknown[]) : [];
  const { items: item = {}, maxItems = Infinity } = schema;
  const kind = kindOf(item);
  return (
    <fieldset aria-describedby={`${id}-hint`}>
      <legend>
        {toLabel(name)}
        {isRequired && <abbr title="required"> *</abbr>}
      </legend>
      <Hint id={`${id}-hint`} schema={schema} />
      <Complaint id={`${id}-problem`} text={problemsAt({ path, problems })} />
      {items.map((each, index) => (
        // Items have no identity of their own.
        <div className="item" key={index}>
          <Field
            name={`${index + 1}`}
            schema={item}
            value={each}
            path={[...path, String(index)]}
            problems={problems}
            isRequired
            onChange={(next) => onChange(items.map((old, at) => (at === index ? next : old)))}
          />
          <button
            type="button"
            onClick={() =>
              onChange(items.length === 1 && !isRequired ? undefined : items.filter((_, at) => at !== index))
            }
          >
            Remove
          </button>
        </div>
      ))}
      <button
        type="button"
        disabled={items.length >= maxItems}
        onClick={() =>
          onChange([...items, kind === 'object' || kind === 'one-of' ? {} : kind === 'list' ? [] : ''])
        }
      >
        Add {toLabel(name).toLowerCase()}
      </button>
    </fieldset>
  );
}
