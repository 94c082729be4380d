import type { GenerateField, GenerateInputs } from '@gengraph/client';
import { useCreate } from '@gengraph/client/react';
import { type FormEvent, useMemo, useState } from 'react';
import { createId } from '../create-id.ts';
import { Field, Members } from '../form/field.tsx';
import { findProblems, kindOf, type Problem, toLabel } from '../form/schema.ts';
import { useSchema } from '../form/use-schema.ts';
import { GenerationCard } from '../gallery/generation-card.tsx';
import { isRepeatable, Problem as ProblemNotice } from '../problem.tsx';
import { follow, toHref } from '../router.ts';
import { settings } from '../settings.ts';
import { ShowMe } from '../show-me/show-me.tsx';
import { families, type Family, inputTypeOf } from './families.ts';
import { writeCreate } from './write-create.ts';

const collection = 'playground';

/** A form for each family, made from the schema of its input. */
export function CreateView({ field }: { readonly field: string | undefined }) {
  const family = families.find((each) => each.field === field) ?? families[0];
  return (
    <>
      <nav className="families" aria-label="What to make">
        {families.map((each) => (
          <a
            key={each.field}
            href={toHref('create', each.field)}
            aria-current={each === family ? 'page' : undefined}
            onClick={follow}
          >
            {each.title}
          </a>
        ))}
      </nav>
      {family && <FamilyView key={family.field} family={family} />}
    </>
  );
}

function FamilyView({ family: { field, title, about } }: { readonly family: Family }) {
  const schema = useSchema(inputTypeOf(field));
  const run = useCreate(field);
  const [input, setInput] = useState<unknown>(() => settings.examples[field]?.['input'] ?? {});
  const [found, setFound] = useState<readonly Problem[]>([]);
  const [sentId, setSentId] = useState('');
  // Another input is another request.
  const sampleKey = useMemo(createId, [input]);
  if (schema === undefined) return <p role="status">Reading the form…</p>;
  if (typeof schema === 'string') return <p className="notice">{schema}</p>;
  const refused = Object.entries(run.fieldErrors).map(([path, message]) => ({
    path: path.split('.'),
    message,
  }));
  const problems = [...found, ...refused];
  const create = (id: string): void => {
    setSentId(id);
    // The server checks the input by the same schema.
    void run.create(input as GenerateInputs[GenerateField], { id, collection });
  };
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const own = findProblems(schema, input);
    setFound(own);
    // Each press is a request of its own: the button is off until the last one has been taken.
    if (own.length === 0) create(createId());
  };
  const Form = kindOf(schema) === 'one-of' ? Field : Members;
  const { generation } = run;
  return (
    <section aria-labelledby="family">
      <h2 id="family">{title}</h2>
      <p>{about}</p>
      <form onSubmit={send} noValidate>
        <Form
          name=""
          schema={schema}
          value={input}
          path={[]}
          problems={problems}
          isRequired
          onChange={setInput}
        />
        <button className="primary" disabled={run.status === 'SENDING'}>
          Make it
        </button>
        {problems.length > 0 && (
          <div className="problem" role="alert">
            Nothing was sent.
            <ul>
              {problems.map(({ path, message }) => (
                <li key={path.join('.')}>
                  {path.map((part) => (/^\d+$/.test(part) ? Number(part) + 1 : toLabel(part))).join(' › ')}:{' '}
                  {message}
                </li>
              ))}
            </ul>
          </div>
        )}
      </form>
      {generation?.error && refused.length === 0 && (
        <ProblemNotice
          problem={generation.error}
          onRetry={() => create(isRepeatable(generation.error) ? sentId : createId())}
        />
      )}
      {generation && generation.id !== null && <GenerationCard generation={generation} />}
      <ShowMe sample={writeCreate(field, input, sampleKey)} result={generation ?? undefined} />
    </section>
  );
}
