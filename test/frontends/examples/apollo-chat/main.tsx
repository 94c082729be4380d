import { ApolloClient } from '@apollo/client';
import { createGengraph } from '@gengraph/client';
import { apolloOptions } from '@gengraph/client/apollo';
import { show } from './chat.tsx';

// Queries, mutations and subscriptions share one connection, which comes back by itself.
const gengraph = createGengraph({ url: '/graphql', credential: 'sk-sandbox' });

show(new ApolloClient(apolloOptions(gengraph)));
