import { gql, type TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';

interface Overview {
  readonly viewer: { readonly owner: string } | null;
  readonly voices: { readonly totalCount: number } | null;
}

const overview: TypedDocumentNode<Overview, Record<string, never>> = gql`
  query Overview {
    viewer {
      owner
    }
    voices {
      totalCount
    }
  }
`;

/** Shows what could be read beside what could not. */
export function OverviewPanel() {
  const { data, error } = useQuery(overview, { errorPolicy: 'all' });
  return (
    <section>
      {data?.viewer && <h2>{data.viewer.owner}</h2>}
      {data?.voices && <p>{data.voices.totalCount} voices</p>}
      {error && <p role="alert">{error.message}</p>}
    </section>
  );
}
