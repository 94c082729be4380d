import { ApolloClient, HttpLink } from '@apollo/client';
import { createApolloCache } from '@gengraph/client/apollo';
import { show } from './chat.tsx';

// Without a WebSocket: HttpLink receives subscriptions as multipart replies.
const link = new HttpLink({ uri: '/graphql', headers: { authorization: 'Bearer sk-sandbox' } });

show(new ApolloClient({ link, cache: createApolloCache() }));
