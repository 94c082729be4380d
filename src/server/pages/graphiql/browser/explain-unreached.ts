/**
 * Returns a `fetch` whose reply says that no answer came. GraphiQL would print the browser's own words and the whole
 * request. The source text of this function is inlined in the page, so it must be self-contained.
 */
export function explainUnreached(send: typeof fetch): typeof fetch {
  return async (...request) => {
    try {
      return await send(...request);
    } catch (error) {
      // Browsers throw a TypeError for all failures of the network. Others are of the page, such as an abort.
      if (!(error instanceof TypeError)) throw error;
      const message =
        'No answer came: the server was not reached, or the connection was cut. A create may have been sent: see `generations` before you repeat it.';
      return Response.json({ errors: [{ message }] });
    }
  };
}
