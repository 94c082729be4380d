export default {
  // The packages are in the folders above.
  turbopack: { root: process.env.REPOSITORY },
  devIndicators: false,
  // Also for WebSockets.
  rewrites: async () => [{ source: '/graphql', destination: `${process.env.SOCKET_ORIGIN}/graphql` }],
};
