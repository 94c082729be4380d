import { InputSchemaDocument } from '@gengraph/client/documents';
import { createContext, type ReactNode, useContext, useId, useState } from 'react';
import { useRead } from '../use-read.ts';
import { Control } from './control.tsx';
import { emptyOf, getAt, kindOf, type Problem, type Schema, setAt, toLabel } from './schema.ts';

/** The schema of an input type. Undefined until it is read. */
export function useSchema(input: string) {
  const { value, ...others } = useRead(InputSchemaDocument, { input });
  return { schema: value as Schema | undefined, ...others }; // JSON Schema.
}

interface Form {
  readonly value: unknown;
  readonly problems: readonly Problem[];
  readonly onChange: (change: (value: unknown) => unknown) => void;
}

const FormContext = createContext<Form>({ value: undefined, problems: [], onChange() {} });

/** A form for an input, made from its schema. */
export function SchemaForm({ schema, value, problems, onChange }: Form & { readonly schema: Schema }) {
  return (
    <FormContext value={{ value, problems, onChange }}>
      <Field name="" schema={schema} path={[]} isRequired />
    </FormContext>
  );
}

interface FieldProps {
  readonly name: string;
  readonly schema: Schema;
  /** From the root of the input. */
  readonly path: readonly string[];
  readonly isRequired: boolean;
}

type FilledProps = FieldProps & { readonly field: ReturnType<typeof useField> };

/** The value at a path, how to change it, and what is wrong with it. */
function useField(path: readonly string[]) {
  const { value, problems, onChange } = useContext(FormContext);
  const own = problems.filter((problem) => problem.path.join('.') === path.join('.'));
  return {
    value: getAt(value, path),
    change: (next: unknown): void => onChange((latest) => setAt(latest, path, next)),
    problem: own.map(({ message }) => message).join(' '),
    /** Whether something is wrong inside one of its members. */
    isWrong: (member: string): boolean =>
      problems.some((problem) => [...path, member].every((part, index) => problem.path[index] === part)),
  };
}

/** One member of an input: the control, what it means, and what is wrong with it. */
function Field(props: FieldProps) {
  const filled = { ...props, field: useField(props.path) };
  const kind = kindOf(props.schema);
  if (kind === 'object') return <Members {...filled} />;
  if (kind === 'one-of') return <OneOf {...filled} />;
  return kind === 'list' ? <List {...filled} /> : <Value {...filled} />;
}

/** What is wrong with a member, and what it means, for eyes and for screen readers. */
function Notes({ id, schema, problem }: { id: string; schema: Schema; problem: string }) {
  const text = [schema.description, ...(schema.$ref ? [] : (schema['x-rules'] ?? []))].join(' ').trim();
  return (
    <div id={id}>
      {problem && <strong className="problem">{problem}</strong>}
      <small className="hint">
        {text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}
      </small>
    </div>
  );
}

/** A value with its label and its notes. */
function Value({ name, schema, isRequired, field: { value, problem, change } }: FilledProps) {
  const id = useId();
  const attributes = {
    id,
    required: isRequired,
    'aria-invalid': problem !== '' || undefined,
    'aria-describedby': `${id}-notes`,
  };
  return (
    <div className="field" tabIndex={-1}>
      <label htmlFor={id}>{toLabel(name)}</label>
      <Control name={name} schema={schema} value={value} attributes={attributes} onChange={change} />
      <Notes id={`${id}-notes`} schema={schema} problem={problem} />
    </div>
  );
}

/** A group of members. That of the whole form has no frame. */
function Group({ name, schema, path, field, children }: FilledProps & { children: ReactNode }) {
  const id = useId();
  if (path.length === 0) return children;
  return (
    <fieldset aria-describedby={id}>
      <legend>{toLabel(name)}</legend>
      <Notes id={id} schema={schema} problem={field.problem} />
      {children}
    </fieldset>
  );
}

/** The members of an object: those that are required or filled in first, and the others folded. */
function Members(props: FilledProps) {
  const { schema, path, field } = props;
  const { properties = {}, required = [] } = schema;
  // A control stays where it is while its user types.
  const [open] = useState(() => new Set([...required, ...Object.keys(field.value ?? {})]));
  const names = Object.keys(properties);
  const folded = names.filter((name) => !open.has(name));
  // It opens for what is wrong in it, and stays open when that is mended.
  const reveal = (more: HTMLDetailsElement | null): void => {
    if (more && folded.some(field.isWrong)) more.open = true;
  };
  const show = (name: string) => {
    const member = { name, schema: properties[name] ?? {}, path: [...path, name] };
    return <Field key={name} {...member} isRequired={required.includes(name)} />;
  };
  return (
    <Group {...props}>
      {names.filter((name) => open.has(name)).map(show)}
      {folded.length > 0 && (
        <details ref={reveal}>
          <summary>More ({folded.length})</summary>
          {folded.map(show)}
        </details>
      )}
    </Group>
  );
}

/** An object with exactly one of its members. */
function OneOf({ field, ...props }: FilledProps) {
  const { name, path, schema } = props;
  const { properties = {}, description = '' } = schema;
  const [chosen = ''] = Object.keys(field.value ?? {});
  const choose = (next: unknown): void =>
    field.change(typeof next === 'string' ? { [next]: emptyOf(properties[next] ?? {}) } : undefined);
  const member = properties[chosen];
  return (
    <div className="one-of">
      <Value
        {...props}
        name={name || 'variant'}
        schema={{ enum: Object.keys(properties), ...(name && { description }) }}
        field={{ ...field, value: chosen, change: choose }}
      />
      {member && <Field key={chosen} name={chosen} schema={member} path={[...path, chosen]} isRequired />}
    </div>
  );
}

function List(props: FilledProps) {
  const { name, schema, path, isRequired, field } = props;
  const { items: item = {}, maxItems = Infinity } = schema;
  const items = Array.isArray(field.value) ? (field.value as readonly unknown[]) : [];
  const isFull = items.length >= maxItems;
  const [removals, setRemovals] = useState(0);
  const add = (): false | void => !isFull && field.change([...items, emptyOf(item)]);
  const remove = (index: number): void => {
    field.change(items.length === 1 && !isRequired ? undefined : items.toSpliced(index, 1));
    setRemovals(removals + 1);
  };
  return (
    <Group {...props}>
      {items.map((_, index) => (
        // Items have no identity of their own: after a removal, all are made anew.
        <div className="item" key={`${removals}.${index}`}>
          <Field name={`${index}`} schema={item} path={[...path, `${index}`]} isRequired />
          <button type="button" children="Remove" onClick={() => remove(index)} />
        </div>
      ))}
      <button key={removals} type="button" autoFocus={removals > 0} aria-disabled={isFull} onClick={add}>
        Add {toLabel(name).toLowerCase()}
      </button>
    </Group>
  );
}
