import { type GenerateField, type GenerateInputs, isRepeatable } from '@gengraph/client';
import { useCreate } from '@gengraph/client/react';
import { type FormEvent, type KeyboardEvent, useEffect, useMemo, useState } from 'react';
import { createId } from '../create-id.ts';
import { SchemaForm, useSchema } from '../form/field.tsx';
import { findProblems, getAt, type Problem, prune, toLabel } from '../form/schema.ts';
import { GenerationCard } from '../gallery/generation-card.tsx';
import { useKept } from '../kept.ts';
import { Notice, Problem as ProblemNotice } from '../problem.tsx';
import { Link } from '../router.tsx';
import { settings } from '../settings.ts';
import type { Sample } from '../show-me/samples.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { families, type Family, inputTypeOf } from './families.ts';

/** A form for each family, made from the schema of its input. */
export function CreateView({ field }: { readonly field: string | undefined }) {
  const family = families.find((each) => each.field === field) ?? families[0];
  useEffect(() => {
    // On a phone, the families are a strip that scrolls.
    const current = document.querySelector('.families [aria-current]');
    current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [family]);
  return (
    <div className="create">
      <nav className="families" aria-label="What to make">
        {[...Map.groupBy(families, ({ group }) => group)].map(([group, members]) => (
          <div key={group}>
            <h2>{group}</h2>
            {members.map((each) => (
              <Link
                key={each.field}
                to={`create/${each.field}`}
                aria-current={each === family ? 'page' : undefined}
                children={each.title}
              />
            ))}
          </div>
        ))}
      </nav>
      {family && <FamilyView key={family.field} family={family} />}
    </div>
  );
}

function FamilyView({ family: { field, title, about } }: { readonly family: Family }) {
  const { schema, problem, retry } = useSchema(inputTypeOf(field));
  const { create, generation, status, fieldErrors } = useCreate(field);
  const isSending = status === 'SENDING';
  const [values, setValues] = useKept<unknown>(field, settings.examples[field]?.['input']);
  const [checked, setChecked] = useState<{ input: unknown; found: readonly Problem[] }>();
  const [sent, setSent] = useState<{ id: string; input: unknown }>();
  // Another input is another request.
  const sampleKey = useMemo(createId, [values]);
  const refused = Object.entries(fieldErrors).map(([path, message]) => ({ path: path.split('.'), message }));
  const input = prune(values);
  // What was changed since is not known to be wrong.
  const textAt = (root: unknown, path: readonly string[]) => JSON.stringify(getAt(root, path));
  const keep = (all: readonly Problem[], of: unknown) =>
    all.filter(({ path }) => textAt(of, path) === textAt(input, path));
  const problems = [...keep(checked?.found ?? [], checked?.input), ...keep(refused, sent?.input)];
  useEffect(() => {
    document.querySelector<HTMLElement>('form [aria-invalid="true"]')?.focus();
  }, [checked, fieldErrors]);
  useEffect(() => {
    if (status === 'RUNNING') document.querySelector('.outcome')?.scrollIntoView({ block: 'nearest' });
  }, [status]);
  if (problem) return <ProblemNotice problem={problem} onRetry={retry} />;
  if (!schema) return <p aria-busy="true">Reading the form…</p>;
  const send = (next: { id: string; input: unknown } = { id: createId(), input }): void => {
    setSent(next);
    // The server checks the input by the same schema.
    void create(next.input as GenerateInputs[GenerateField], { id: next.id, collection: 'playground' });
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isSending) return;
    const own = findProblems(schema, input);
    setChecked({ input, found: own });
    // Each press is a request, a double click is one: the button is off until the last has been taken.
    if (own.length === 0) send();
  };
  // A key that is held is one press, too. In longer texts it writes lines.
  const skipRepeats = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement))
      event.preventDefault();
  };
  return (
    <>
      <form aria-labelledby="family" onSubmit={submit} onKeyDown={skipRepeats} noValidate>
        <h1 id="family">{title}</h1>
        <p>{about}</p>
        <SchemaForm schema={schema} value={values} problems={problems} onChange={setValues} />
        <div className="dock" onClick={(click) => click.detail > 1 && click.preventDefault()}>
          <button className="primary" aria-busy={isSending} aria-disabled={isSending} children="Make it" />
        </div>
      </form>
      <section className="outcome" aria-label="Result">
        {problems.length > 0 && (
          <Notice>
            Nothing was sent.
            {problems.map(({ path, message }) => (
              <div key={path.join('.')} children={`${path.map(toLabel).join(' › ')}: ${message}`} />
            ))}
          </Notice>
        )}
        {generation?.error && refused.length === 0 && (
          <ProblemNotice
            problem={generation.error}
            onRetry={() => send(isRepeatable(generation.error) ? sent : undefined)}
          />
        )}
        {generation && generation.id !== null && <GenerationCard generation={generation} isWhole />}
        {status === 'IDLE' && <p className="empty">This is an example. What you make appears here.</p>}
        <ShowMe sample={writeCreate(field, input, sampleKey)} result={generation ?? undefined} />
      </section>
    </>
  );
}

/** The operation that a form sends. */
function writeCreate(field: GenerateField, input: unknown, idempotencyKey: string): Sample {
  const query = `mutation Create($input: ${inputTypeOf(field)}!, $idempotencyKey: ID) {
  ${field}(input: $input, idempotencyKey: $idempotencyKey) {
    __typename
    ... on Generation { id status assets { kind role url } task { id progress } }
    ... on GengraphError { code message retry }
    ... on InvalidInputError { issues { path message limit received } }
  }
}`;
  return { query, variables: { input, idempotencyKey } };
}
