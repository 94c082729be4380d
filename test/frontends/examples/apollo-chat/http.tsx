import { ApolloClient } from '@apollo/client';
import { createApolloCache, createApolloHttpLink } from '@gengraph/client/apollo';
import { show } from './chat.tsx';

// Without a WebSocket: subscriptions are multipart replies, which begin again when their connection is lost.
const link = createApolloHttpLink({ uri: '/graphql', headers: { authorization: 'Bearer sk-sandbox' } });

// As with `apolloOptions`: the second of two equal subscriptions would miss the first event.
show(new ApolloClient({ link, cache: createApolloCache(), queryDeduplication: false }));
