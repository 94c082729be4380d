import { graphcacheOptions } from '@gengraph/client/urql';
import { cacheExchange } from '@urql/exchange-graphcache';
import { Client, fetchExchange } from 'urql';

// Without a WebSocket: subscriptions are server-sent events.
export const client = new Client({
  url: '/graphql',
  exchanges: [cacheExchange(graphcacheOptions), fetchExchange],
  fetchSubscriptions: true,
  preferGetMethod: false,
  fetchOptions: { headers: { authorization: 'Bearer sk-sandbox' } },
});
