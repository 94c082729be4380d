import { composeServices as composeByApollo } from '@apollo/composition';
import { composeServices as composeByTheGuild } from '@theguild/federation-composition';
import { type DocumentNode, parse } from 'graphql';

export interface Subgraph {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
}

export interface Composition {
  readonly errors: readonly string[];
  /** Empty when composition fails. */
  readonly supergraph: string;
}

type Compose = (subgraphs: readonly Subgraph[]) => Composition;

/** Two independent composers. */
export const composers: Readonly<Record<'Apollo' | 'The Guild', Compose>> = {
  Apollo: (subgraphs) => toComposition(composeByApollo(toServices(subgraphs))),
  'The Guild': (subgraphs) => toComposition(composeByTheGuild(toServices(subgraphs))),
};

/** @throws with the composer's errors */
export function composeSupergraph(subgraphs: readonly Subgraph[]): string {
  const { errors, supergraph } = composers.Apollo(subgraphs);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return supergraph;
}

interface Service {
  name: string;
  url: string;
  typeDefs: DocumentNode;
}

function toServices(subgraphs: readonly Subgraph[]): Service[] {
  return subgraphs.map(({ name, url, sdl }) => ({ name, url, typeDefs: parse(sdl) }));
}

function toComposition(result: {
  readonly errors?: readonly { readonly message: string }[] | undefined;
  readonly supergraphSdl?: string | undefined;
}): Composition {
  return {
    errors: result.errors?.map(({ message }) => message) ?? [],
    supergraph: result.supergraphSdl ?? '',
  };
}

/** Reads `_service.sdl` from a running subgraph. */
export async function readSdl(url: string): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ _service { sdl } }' }),
  });
  const { data } = (await response.json()) as { data: { _service: { sdl: string } } };
  return data._service.sdl;
}
